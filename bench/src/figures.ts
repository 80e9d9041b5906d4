/** Of the process that answers at a URL: memory in bytes, processor time in microseconds. */
export async function figuresOf(url: string): Promise<{ memory: number; cpu: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return { memory: read('process_resident_memory_bytes'), cpu: read('process_cpu_seconds_total') * 1e6 }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
