#!/usr/bin/env node
// Here and not in dist/, so that npm can link it before anything is built.
import './loadBundle.cjs'
