/** Offers a text as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name.replaceAll(/[^\w.-]+/g, '_')
  link.click()
  URL.revokeObjectURL(link.href)
}
