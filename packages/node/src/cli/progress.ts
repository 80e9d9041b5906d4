/** Shows the progress of long work on one line of the terminal; silent without a terminal. */
export type Progress = { at(done: number): void; end(): void }

const width = 30

export function showProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY || total <= 1) return { at() {}, end() {} }
  const draw = (done: number) => {
    const filled = Math.round((width * done) / total)
    stream.write(`\r${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total}`)
  }
  draw(0)
  return { at: draw, end: () => stream.write('\r\u001b[K') }
}
