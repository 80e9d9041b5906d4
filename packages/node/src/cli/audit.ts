import type { Command } from 'commander'

const examples = [
  'understudy audit verify audit.jsonl',
  'understudy audit verify audit.jsonl --contains HASH    (one that was noted earlier)',
]

/** Adds `audit` and the command below it, which reads what `--audit-file` wrote. */
export function addAuditCommands(program: Command, print: (text: string) => void): Command[] {
  const audit = program
    .command('audit')
    .summary('check a file that --audit-file wrote')
    .description('Checks a file that --audit-file wrote.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  const verify = audit
    .command('verify')
    .summary('check that no entry was changed, taken out or put between')
    .description(
      'Checks that no entry was changed, taken out or put between. A file that was cut off at its end, or written anew, shows only by a hash that was noted elsewhere: give it with --contains.',
    )
    .argument('<FILE>', 'the file')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--contains <HASH>', 'the hash of a line that must be there')
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  '))
  verify.action(async (file: string) => {
    const { verifyAuditFile } = await import('../audit/auditChain.ts')
    const { count, hash } = await verifyAuditFile(file, verify.opts<{ contains?: string }>().contains)
    print(`${file}: ${count} entries, unbroken\nlast hash   ${hash}\n`)
  })
  return [audit, verify]
}
