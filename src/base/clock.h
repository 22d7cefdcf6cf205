/// A clock for durations: it never goes back, whatever happens to the time of day.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_seconds(void); ///< since an arbitrary moment

#endif
