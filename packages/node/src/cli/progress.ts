/** Shows the progress of long work on one line of the terminal, with the time left; silent without a terminal. */
export type Progress = { at(done: number): void; end(): void }

const width = 30
/** The time left is shown from here on: before, it is a guess. */
const estimateAfterMs = 3000

export function showProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY || total <= 1) return { at() {}, end() {} }
  const startedAt = performance.now()
  const draw = (done: number) => {
    const filled = Math.round((width * done) / total)
    const elapsed = performance.now() - startedAt
    const left =
      done > 0 && done < total && elapsed > estimateAfterMs ? `, ${timeOf((elapsed / done) * (total - done))} left` : ''
    stream.write(`\r${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total}${left}\u001b[K`)
  }
  draw(0)
  return { at: draw, end: () => stream.write('\r\u001b[K') }
}

function timeOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
