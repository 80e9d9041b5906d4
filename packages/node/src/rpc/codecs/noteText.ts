import { z } from 'zod'

const lengthLimit = 2000
/** Control characters, except the line break; those that change the direction of what follows; halves of a character. */
const unseen = /[^\P{Cc}\n]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** Text that a user wrote, without spaces around it. */
export const NoteText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .max(lengthLimit, { error: `has more than ${lengthLimit} characters` })
      .refine((text) => !unseen.test(text), {
        error: 'has control characters; use letters, signs and line breaks',
      }),
  )
