/* A processor core with two levels of cache, simulated on a fixed trace.
 *
 * Usage: sim DESIGN.json
 * Reads the knobs of a design, runs 120,000 memory references and as many branches
 * through caches and a branch predictor, and prints the metrics as JSON.
 *
 * Compile: cc -O2 -o sim sim.c -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCES 120000
#define MOST_LINES (1 << 16)

typedef struct {
    int sets, ways, line_shift, policy; /* policy: 0 lru, 1 fifo, 2 random */
    uint64_t tag[MOST_LINES];
    uint32_t stamp[MOST_LINES];
} Cache;

static Cache first, second;
static uint32_t now;
static uint64_t words = 88172645463325252ULL;

static uint32_t random_word(void) {
    words ^= words << 13;
    words ^= words >> 7;
    words ^= words << 17;
    return (uint32_t)(words >> 32);
}

/* --- the design: a flat JSON object of numbers, texts, true and false */

static char text[4096];

static const char *value_of(const char *name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *found = strstr(text, quoted);
    if (found != NULL)
        found = strchr(found, ':');
    if (found == NULL) {
        fprintf(stderr, "the design has no %s\n", name);
        exit(2);
    }
    for (found++; *found == ' '; found++) {}
    return found;
}

static double number(const char *name) { return strtod(value_of(name), NULL); }

static int is(const char *name, const char *word) {
    return strncmp(value_of(name), word, strlen(word)) == 0;
}

/* --- caches */

static int log_two(int n) {
    int shift = 0;
    while ((1 << (shift + 1)) <= n)
        shift++;
    return shift;
}

static int set_up(Cache *cache, int bytes, int ways, int line, int policy) {
    cache->sets = bytes / (ways * line);
    cache->ways = ways;
    cache->line_shift = log_two(line);
    cache->policy = policy;
    memset(cache->tag, 0xff, sizeof cache->tag);
    return cache->sets >= 1 && cache->sets * ways <= MOST_LINES;
}

/* Look an address up, and bring it in if it is not there; returns whether it was. */
static int touch(Cache *cache, uint64_t address) {
    uint64_t line = address >> cache->line_shift;
    int start = (int)(line % (uint64_t)cache->sets) * cache->ways, oldest = start;
    now++;
    for (int w = start; w < start + cache->ways; w++) {
        if (cache->tag[w] == line) {
            if (cache->policy == 0)
                cache->stamp[w] = now;
            return 1;
        }
        if (cache->stamp[w] < cache->stamp[oldest])
            oldest = w;
    }
    if (cache->policy == 2)
        oldest = start + (int)(random_word() % (uint32_t)cache->ways);
    cache->tag[oldest] = line;
    cache->stamp[oldest] = now;
    return 0;
}

/* The trace: walks over arrays, a table that is looked up at random, a stack. */
static uint64_t next_address(int step) {
    static uint64_t walk;
    uint32_t kind = random_word() % 100;
    if (kind < 45) {
        walk = (walk + 8) % (96 * 1024);
        return walk;
    }
    if (kind < 75)
        return (1 << 20) + random_word() % 2048;
    if (kind < 95)
        return (2 << 20) + (random_word() % (256 * 1024) & ~7u);
    return (8 << 20) + (uint64_t)step * 64 % (4 << 20);
}

/* Branches: most follow a pattern that history reveals, some are free. */
static double mispredicted(int bits) {
    static unsigned char counter[1 << 16];
    uint32_t history = 0, mask = (1u << bits) - 1;
    int wrong = 0;
    memset(counter, 1, sizeof counter);
    for (int k = 0; k < REFERENCES; k++) {
        uint32_t where = random_word() % 37 * 2654435761u >> 7;
        int taken = random_word() % 100 < 12 ? (int)(random_word() & 1)
                                             : (k % 7 != 0) ^ (int)(where >> 3 & 1);
        unsigned char *c = &counter[(where ^ history) & mask];
        wrong += (*c >= 2) != taken;
        *c = taken ? (*c < 3 ? *c + 1 : 3) : (*c > 0 ? *c - 1 : 0);
        history = (history << 1 | (uint32_t)taken) & mask;
    }
    return (double)wrong / REFERENCES;
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: sim DESIGN.json\n");
        return 2;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);

    int l1 = (int)number("l1_kb"), l2 = (int)number("l2_kb");
    int line = (int)number("line_bytes"), width = (int)number("issue_width");
    int depth = (int)number("pipeline_depth"), bits = (int)number("predictor_bits");
    int rob = (int)number("window"), prefetch = is("prefetch", "true");
    int policy = is("replacement", "\"lru\"") ? 0 : is("replacement", "\"fifo\"") ? 1 : 2;
    double volt = number("voltage");
    if (!set_up(&first, l1 * 1024, (int)number("l1_ways"), line, policy) ||
        !set_up(&second, l2 * 1024, (int)number("l2_ways"), line, policy)) {
        printf("{\"infeasible\": \"a cache has fewer lines than ways\"}\n");
        return 0;
    }

    long miss1 = 0, miss2 = 0, fetched = 0;
    for (int k = 0; k < REFERENCES; k++) {
        uint64_t address = next_address(k);
        if (touch(&first, address))
            continue;
        miss1++;
        miss2 += !touch(&second, address);
        if (prefetch) {
            fetched += !touch(&second, address + (uint64_t)line);
            touch(&first, address + (uint64_t)line);
        }
    }
    double wrong = mispredicted(bits);

    /* Time: three instructions per reference; a window hides part of what is missed. */
    double instructions = 3.0 * REFERENCES, hidden = 1.0 / (1.0 + rob / 48.0);
    double clock = 4.2 * (volt - 0.35) / volt * depth / (depth + 9.0) / (1 + 0.05 * width);
    double memory = 70.0 * clock + line / 8.0;
    double cycles = instructions / pow(width, 0.6) / (1.0 - 1.0 / (2.0 + rob / 16.0)) +
                    REFERENCES * wrong * depth +
                    hidden * (miss1 * (8 + l2 / 256.0) + miss2 * memory);
    double milliseconds = cycles / (clock * 1e6);

    /* Energy in mJ: switching grows with the square of the voltage, leaking with area. */
    double area = 0.9 + 0.16 * width * width + 0.02 * depth * width + 0.006 * rob * width +
                  0.021 * l1 * (1 + 0.02 * number("l1_ways")) + 0.0085 * l2 +
                  pow(2.0, bits) * 4e-5 + 0.12 * prefetch;
    double switching = instructions * (0.10 + 0.012 * depth + 0.05 * width + 4e-4 * rob) +
                       REFERENCES * (0.05 + 0.004 * l1) + miss1 * 0.6 +
                       (miss2 + fetched) * (4.0 + line / 16.0);
    double energy = switching * volt * volt * 1e-6 + 0.02 * area * volt * milliseconds * 1e-3;
    printf("{\"time_ms\": %.6f, \"energy_mj\": %.6f, \"area_mm2\": %.4f, \"power_w\": %.4f}\n",
           milliseconds, energy, area, energy / milliseconds);
    return 0;
}
