import type { Command } from 'commander'

const examples = [
  'understudy audit verify audit.jsonl',
  'understudy audit verify audit.jsonl --contains HASH    (a hash recorded earlier)',
]

/** Adds `audit` and its command, which reads files of `--audit-file`. */
export function addAuditCommands(program: Command, print: (text: string) => void): Command[] {
  const audit = program
    .command('audit')
    .summary('check a file written by --audit-file')
    .description('Checks a file written by --audit-file.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  const verify = audit
    .command('verify')
    .summary('check that no entry was changed, removed or inserted')
    .description(
      'Checks that no entry was changed, removed or inserted. To also detect a truncated or rewritten file, pass a hash that was recorded earlier with --contains.',
    )
    .argument('<FILE>', 'the file')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--contains <HASH>', 'the hash of a line that the file must contain')
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  '))
  verify.action(async (file: string) => {
    const { verifyAuditFile } = await import('../audit/auditChain.ts')
    const { count, hash } = await verifyAuditFile(file, verify.opts<{ contains?: string }>().contains)
    print(`${file}: ${count} entries, valid\nlast hash   ${hash}\n`)
  })
  return [audit, verify]
}
