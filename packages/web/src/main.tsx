import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { live } from './lib/rpc/live.ts'
import { queryClient, refreshOnChanges } from './lib/rpc/queryClient.ts'
import { fetchPages, router } from './router.tsx'
import './styles.css'

refreshOnChanges()
live.start()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

// After the first page, which must not wait for them. One that fails is fetched again when it is opened.
window.addEventListener('load', () => setTimeout(() => void fetchPages().catch(() => {}), 1000))
