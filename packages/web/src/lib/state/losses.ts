/** What an action on an account discards, as the dialogs that ask for it say. */
export const losses = {
  follow:
    'Its balance, nonce, code and storage are then always read from the head of the live chain. Local changes are discarded, including funds from the faucet. Later changes last only until their block is mined.',
  resync:
    'Local changes to its balance, nonce, code and storage are discarded, including funds from the faucet. The account reads the live chain again until something here changes it.',
}
