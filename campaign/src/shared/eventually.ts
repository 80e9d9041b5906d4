/** Repeats a task until it succeeds. Throws its last error after `limitMs`. */
export async function eventually<T>(task: () => Promise<T>, limitMs: number): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    try {
      return await task()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
