import { defineConfig } from 'vitest/config'

// The 200 tests in four workers.
// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default defineConfig({
  test: {
    globalSetup: './setup.mjs',
    maxWorkers: 4,
    reporters: ['json'],
    projects: [0, 50, 100, 150].map((first) => ({
      extends: true,
      test: { name: `from ${first}`, include: ['vitest.mjs'], provide: { first } },
    })),
  },
})
