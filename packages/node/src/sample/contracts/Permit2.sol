// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "./ERC20.sol";

/// @notice The allowances of Uniswap's Permit2, without its signatures: the same functions, events, errors and storage slots.
/// It has no constructor and no immutables, so its code can be put at Permit2's own address.
contract Permit2 {
    struct PackedAllowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    /// @dev Permit2's slot 0: the nonces of its signed transfers, which the sample does not have.
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;
    /// @notice By owner, token and spender.
    mapping(address => mapping(address => mapping(address => PackedAllowance))) public allowance;

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Lockdown(address indexed owner, address token, address spender);

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    /// @notice `expiration` 0 means until the end of this block.
    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        allowed.amount = amount;
        allowed.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        PackedAllowance storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        if (allowed.amount != type(uint160).max) {
            if (amount > allowed.amount) revert InsufficientAllowance(allowed.amount);
            unchecked {
                allowed.amount -= amount;
            }
        }
        ERC20(token).transferFrom(from, to, amount);
    }

    function lockdown(TokenSpenderPair[] calldata approvals) external {
        for (uint256 i = 0; i < approvals.length; i++) {
            allowance[msg.sender][approvals[i].token][approvals[i].spender].amount = 0;
            emit Lockdown(msg.sender, approvals[i].token, approvals[i].spender);
        }
    }
}
