/// What messages call the parts of a model.
#ifndef MODEL_DESCRIBE_H
#define MODEL_DESCRIBE_H

#include "model/model.h"

/// 'node 12 of body "cube"', counted within the body, or 'obstacle "ground"', for messages.
void model_describe_node(const Model *model, int32_t node, char *text, size_t size);
/// 'tetrahedron 7 of body "cube"', counted within the model.
void model_describe_element(const Model *model, int32_t number, char *text, size_t size);
/// "cube, node 12", "cube, vertex 12" for a vertex that is no node, or "obstacle ground", for messages about barrier contact.
void model_describe_vertex(const Model *model, int32_t vertex, char *text, size_t size);
/// The same of both sides of a pair in contact, by its four vertices (Diagnosis.closest).
void model_describe_pair(const Model *model, const int32_t vertices[4], char *first, char *last, size_t size);
/// 'constraint "knee"', 'constraints[3]', 'segment 4 of body "rope"', 'the rigidity of body "link"', for messages.
void model_describe_constraint(const Model *model, int32_t index, char *text, size_t size);

#endif
