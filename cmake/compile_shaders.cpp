// Compiles all variants of one shader in one process: glslangValidator spends a fifth of a second on the built-in functions before it
// looks at a kernel, and the variants share them. The modules are, byte for byte, those of
//
//     glslangValidator -V --target-env vulkan1.2 [-I<folder>]... [-D<name>=<value>]... -o OUTPUT SOURCE
//     spirv-val --target-env vulkan1.2 --scalar-block-layout OUTPUT
//
// usage: compile_shaders SOURCE DEPFILE [-I<folder>]... { OUTPUT [-D<name>=<value>]... }...
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/libspirv.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <list>
#include <set>
#include <string>
#include <vector>

namespace {

bool read_file(const std::string &path, std::string &text)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return false;
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return true;
}

// Finds #include "name" beside the file that has it, then in the folders, and remembers what was read.
class Includer : public glslang::TShader::Includer {
public:
    explicit Includer(const std::vector<std::string> &folders) : folders_(folders) {}

    IncludeResult *includeLocal(const char *name, const char *from, size_t) override
    {
        const std::string file(from);
        const size_t slash = file.rfind('/');
        std::vector<std::string> places{slash == std::string::npos ? "." : file.substr(0, slash)};
        places.insert(places.end(), folders_.begin(), folders_.end());
        for (const std::string &place : places) {
            const std::string path = place + "/" + name;
            std::string text;
            if (!read_file(path, text))
                continue;
            read_.insert(path);
            texts_.push_back(text);
            return new IncludeResult(path, texts_.back().data(), texts_.back().size(), nullptr);
        }
        return nullptr;
    }

    void releaseInclude(IncludeResult *result) override { delete result; }

    const std::set<std::string> &read() const { return read_; }

private:
    const std::vector<std::string> &folders_;
    std::list<std::string> texts_;
    std::set<std::string> read_;
};

struct Variant {
    std::string output, preamble;
};

bool stage_of(const std::string &source, EShLanguage &stage)
{
    const std::string ending = source.substr(source.rfind('.') + 1);
    stage = ending == "comp" ? EShLangCompute : ending == "vert" ? EShLangVertex : EShLangFragment;
    return ending == "comp" || ending == "vert" || ending == "frag";
}

bool compile(const std::string &source, const std::string &text, EShLanguage stage, const Variant &variant,
             Includer &includer, std::vector<unsigned> &code)
{
    const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
    const char *strings[] = {text.c_str()}, *names[] = {source.c_str()};
    const int lengths[] = {static_cast<int>(text.size())};
    glslang::TShader shader(stage);
    shader.setStringsWithLengthsAndNames(strings, lengths, names, 1);
    shader.setPreamble(variant.preamble.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, stage, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_2);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_5);
    if (!shader.parse(GetDefaultResources(), 100, false, messages, includer)) {
        std::fprintf(stderr, "%s\n%s", source.c_str(), shader.getInfoLog());
        return false;
    }
    glslang::TProgram program;
    program.addShader(&shader);
    if (!program.link(messages) || !program.mapIO()) {
        std::fprintf(stderr, "%s\n%s", source.c_str(), program.getInfoLog());
        return false;
    }
    glslang::GlslangToSpv(*program.getIntermediate(stage), code);
    return true;
}

bool validate(const std::vector<unsigned> &code)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_2);
    spv_validator_options options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetScalarBlockLayout(options, true);
    spv_const_binary_t binary = {code.data(), code.size()};
    spv_diagnostic diagnostic = nullptr;
    const spv_result_t result = spvValidateWithOptions(context, options, &binary, &diagnostic);
    if (diagnostic)
        spvDiagnosticPrint(diagnostic);
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return result == SPV_SUCCESS;
}

bool write_file(const std::string &path, const void *bytes, size_t size)
{
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file)
        return false;
    const bool written = std::fwrite(bytes, 1, size, file) == size;
    return (std::fclose(file) == 0) && written;
}

} // namespace

int main(int count, char **arguments)
{
    if (count < 4)
        return 2;
    const std::string source = arguments[1], depfile = arguments[2];
    std::vector<std::string> folders;
    std::vector<Variant> variants;
    for (int i = 3; i < count; ++i) {
        std::string word = arguments[i];
        if (word.compare(0, 2, "-I") == 0) {
            folders.push_back(word.substr(2));
        } else if (word.compare(0, 2, "-D") == 0 && !variants.empty()) {
            const size_t equals = word.find('=');
            if (equals != std::string::npos)
                word[equals] = ' ';
            variants.back().preamble += "#define " + word.substr(2) + "\n";
        } else {
            variants.push_back({word, ""});
        }
    }
    std::string text;
    EShLanguage stage;
    if (!read_file(source, text) || !stage_of(source, stage) || variants.empty())
        return 2;
    glslang::InitializeProcess();
    Includer includer(folders);
    bool all = true;
    for (const Variant &variant : variants) {
        std::vector<unsigned> code;
        if (!compile(source, text, stage, variant, includer, code) || !validate(code) ||
            !write_file(variant.output, code.data(), code.size() * sizeof code[0])) {
            std::fprintf(stderr, "%s was not made\n", variant.output.c_str());
            std::remove(variant.output.c_str());
            all = false;
        }
    }
    std::string rule = variants[0].output + ": " + source;
    for (const std::string &path : includer.read())
        rule += " \\\n  " + path;
    rule += "\n";
    all = write_file(depfile, rule.data(), rule.size()) && all;
    glslang::FinalizeProcess();
    return all ? 0 : 1;
}
