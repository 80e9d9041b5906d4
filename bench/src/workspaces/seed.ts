import { rmSync } from 'node:fs'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'

/**
 * Repeats the transaction of a network that is stopped: `perBlock` times in each of its `blocks` newest blocks, with its calls,
 * logs and transfers. Their hashes are made up; everything else is as the network wrote it.
 */
export function repeatTransaction(directory: string, { blocks, perBlock }: { blocks: number; perBlock: number }): void {
  const sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'))
  const find = sqlite.prepare('select block_number as block from transactions order by block_number desc limit 1')
  const { block } = find.get() as { block: number }
  const positions = `with recursive positions (position) as (
    select 0 union all select position + 1 from positions where position + 1 < ${perBlock})`
  const new_positions = `(select number, position as new_position from blocks, positions
    where number > ${block} order by number limit ${blocks * perBlock}) as new_positions`
  const copy = (table: string, columns: Record<string, string>) => {
    const rows = sqlite.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]
    const values = rows.map(({ name }) => columns[name] ?? `source.${name}`)
    sqlite.exec(`${positions} insert into ${table} select ${values.join(', ')}
      from ${new_positions}, (select * from ${table} where block_number = ${block}) as source`)
  }
  sqlite.exec('begin')
  copy('transactions', { hash: 'randomblob(32)', block_number: 'number', position: 'new_position' })
  copy('calls', { block_number: 'number', transaction_position: 'new_position' })
  copy('logs', { block_number: 'number', transaction_position: 'new_position', position: 'new_position' })
  copy('transfers', { block_number: 'number', transaction_position: 'new_position' })
  sqlite.exec('commit')
  sqlite.close()
  // The checksums of the network are of the file as it was.
  rmSync(join(directory, 'network.sums'), { force: true })
}
