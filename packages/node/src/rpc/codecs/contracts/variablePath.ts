import { z } from 'zod'

const lengthLimit = 1000

/** A variable, or a part of one: `users[3].name`. */
export const VariablePath = z.string().max(lengthLimit, `expected at most ${lengthLimit} characters`)
