// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Accounts of which each is a struct that is packed into one slot, and functions that return every kind of value.
contract Ledger {
    struct Account {
        uint128 balance;
        uint64 changes;
        bool open;
    }

    struct Report {
        address owner;
        Account account;
        int256[] history;
        bytes note;
        string title;
    }

    mapping(address => Account) private accounts;
    int256[] private history;

    function put(address owner, uint128 balance) external {
        Account storage account = accounts[owner];
        account.balance = balance;
        account.changes += 1;
        account.open = balance != 0;
        history.push(-int256(uint256(balance)));
    }

    function accountOf(address owner) external view returns (Account memory account) {
        account = accounts[owner];
    }

    /// @notice Reverts while the account is closed.
    function balanceOf(address owner) external view returns (uint256) {
        require(accounts[owner].open, "account is closed");
        return accounts[owner].balance;
    }

    function reportOf(address owner) external view returns (Report memory report, uint256 length) {
        report = Report(owner, accounts[owner], history, hex"c0ffee", "a \"title\"");
        length = history.length;
    }

    function age() external view returns (uint256 blockNumber, uint256 timestamp) {
        return (block.number, block.timestamp);
    }
}
