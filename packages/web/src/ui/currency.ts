import { createContext, useContext } from 'react'

/** The symbol of the chain's own currency. */
const Currency = createContext('ETH')

export const CurrencyProvider = Currency.Provider
export const useCurrency = (): string => useContext(Currency)
