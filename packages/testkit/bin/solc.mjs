#!/usr/bin/env node
/** Stands in for the native compiler where a tool wants one: the same compiler, from npm. Takes `--version` and `--standard-json`. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import solc from 'solc'

const { argv, stdout } = process
if (argv.includes('--version'))
  stdout.write(
    `solc, the solidity compiler commandline interface\nVersion: ${solc.version().replace('.Emscripten.clang', '.Linux.g++')}\n`,
  )
else stdout.write(solc.compile(readFileSync(0, 'utf8')))
