import { measureCommits } from './commits.ts'
import { measureNodes } from './nodes.ts'

/** What it costs to keep a network in a database that others can share, and what sharing it brings. */
export async function run(): Promise<void> {
  await measureCommits()
  await measureNodes()
}
