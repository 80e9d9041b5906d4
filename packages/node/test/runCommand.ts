import { type CommandRun, runCommand as run } from '@understudy/testkit'
import { locationOfDirectory } from './testDatabase.ts'

/** Runs the built command in a directory, one network for each directory. */
export function runCommand(args: readonly string[], cwd: string, environment: Record<string, string> = {}): CommandRun {
  return run(args, { cwd, environment: { ...locationOfDirectory(cwd), ...environment } })
}
