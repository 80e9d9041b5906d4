/** What an action on an account discards, as the dialogs that ask for it say. */
export const losses = {
  follow:
    'Balance, nonce, code and storage are then read from the head of the live chain. Local changes to the account are discarded, funds that it was given here too, and later changes last only until their block is sealed.',
  resync:
    'Local changes to its balance, nonce, code and storage are discarded, funds that it was given here too. It reads the live chain again until something here changes it.',
}
