/** Tests of packages/node/test that are not run once more on PostgreSQL, and why. */
export const notOnPostgres: Record<string, string> = {
  cli: 'is about options and data directories',
}
