// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";

enum Action { Nothing, Take, Clear, Mint, Burn, SettleSynced, Unlock }

/// Unlocks the manager, does one thing, and settles nothing.
contract Unlocker is IUnlockCallback {
    IPoolManager private immutable manager;

    error NotManager(address caller);

    constructor(IPoolManager _manager) {
        manager = _manager;
    }

    modifier onlyManager() {
        if (msg.sender != address(manager)) revert NotManager(msg.sender);
        _;
    }

    function run(Action action, Currency currency, uint256 amount) external payable {
        manager.unlock(abi.encode(action, currency, amount));
    }

    function unlockCallback(bytes calldata data) external onlyManager returns (bytes memory) {
        (Action action, Currency currency, uint256 amount) = abi.decode(data, (Action, Currency, uint256));
        if (action == Action.Take) manager.take(currency, address(this), amount);
        if (action == Action.Clear) manager.clear(currency, amount);
        if (action == Action.Mint) manager.mint(address(this), currency.toId(), amount);
        if (action == Action.Burn) manager.burn(address(this), currency.toId(), amount);
        if (action == Action.SettleSynced) {
            manager.sync(currency);
            manager.settle{value: amount}();
        }
        if (action == Action.Unlock) manager.unlock(data);
        return "";
    }
}
