/** Shows the progress of long work on one line of the terminal, with the time left; silent without a terminal. */
export type Progress = {
  /** Called when the work begins, if some of it was done before: the time left is that of the rest. */
  resume(done: number): void
  at(done: number): void
  end(): void
}

const width = 30
/** The time left is shown from here on: before, it is a guess. */
const estimateAfterMs = 3000

export function showProgress(
  label: string,
  total: number,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  now = () => performance.now(),
): Progress {
  if (!stream.isTTY || total <= 1) return { resume() {}, at() {}, end() {} }
  let startedAt = now()
  let before = 0
  const draw = (done: number) => {
    const filled = Math.round((width * done) / total)
    const elapsed = now() - startedAt
    const mine = done - before
    const left =
      mine > 0 && done < total && elapsed > estimateAfterMs ? `, ${timeOf((elapsed / mine) * (total - done))} left` : ''
    stream.write(`\r${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total}${left}\u001b[K`)
  }
  draw(0)
  return {
    resume(done) {
      before = done
      startedAt = now()
      draw(done)
    },
    at: draw,
    end: () => stream.write('\r\u001b[K'),
  }
}

function timeOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
