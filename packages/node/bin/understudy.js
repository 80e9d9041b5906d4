#!/usr/bin/env node
// Here and not in dist/, so that npm can link it before anything is built.
import './compilerThreads.js'
import './loadBundle.cjs'
