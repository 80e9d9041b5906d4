import { measureCommits } from './commits.ts'
import { measureNodes } from './nodes.ts'

/** Measures the cost of a shared database, and what more nodes bring. */
export async function run(): Promise<void> {
  await measureCommits()
  await measureNodes()
}
