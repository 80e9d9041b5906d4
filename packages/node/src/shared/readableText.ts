/** Control characters and changes of a text's direction, as escapes: what others wrote must not move the cursor of a terminal. */
export function readableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
