#!/usr/bin/env node
// Here and not in dist/, so that npm can link it before anything is built.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps compiled code for the next start. Not in the folder for temporary files, which other users can write to.
// Node.js 20 does not have it.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/compile-cache', import.meta.url)))
await import('../dist/bundle/main.js')
