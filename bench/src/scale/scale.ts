import { measureCommits } from './commits.ts'

/** What it costs to keep a network in a database that others can share. */
export async function run(): Promise<void> {
  await measureCommits()
}
