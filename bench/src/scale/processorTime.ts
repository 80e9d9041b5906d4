/** The processor time of nodes so far, in microseconds. Unlike elapsed time, it depends little on what else runs. */
export async function processorTime(urls: readonly string[]): Promise<number> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  return texts.reduce((sum, text) => sum + Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6, 0)
}
