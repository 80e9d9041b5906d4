// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Token {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @notice Pays grants of a token. Its variables are of the kinds that reports of simulations name: packed ones, structs,
/// mappings of both, and a list.
contract Treasury {
    struct Grant {
        address recipient;
        uint96 amount;
        bool paid;
        string title;
    }

    error Spent(uint256 wanted, uint256 left);

    event Granted(uint256 indexed id, address indexed recipient, uint256 amount, string title);
    event Paid(uint256 indexed id, address indexed recipient, uint256 amount);

    address public owner;
    uint64 public payments;
    bool public open;
    uint256 public grantCount;
    mapping(uint256 => Grant) public grants;
    mapping(address => uint256) public received;
    mapping(address => mapping(address => uint256)) public limits;
    uint256[] public history;

    constructor() {
        owner = msg.sender;
        open = true;
    }

    function grant(address token, address recipient, uint96 amount, string calldata title) external returns (uint256 id) {
        require(msg.sender == owner, "only the owner grants");
        id = ++grantCount;
        grants[id] = Grant(recipient, amount, false, title);
        limits[token][recipient] += amount;
        emit Granted(id, recipient, amount, title);
    }

    function pay(address token, uint256 id) external {
        Grant storage chosen = grants[id];
        uint256 left = limits[token][chosen.recipient];
        if (chosen.paid || left < chosen.amount) revert Spent(chosen.amount, left);
        chosen.paid = true;
        limits[token][chosen.recipient] = left - chosen.amount;
        received[chosen.recipient] += chosen.amount;
        history.push(chosen.amount);
        payments++;
        require(Token(token).transfer(chosen.recipient, chosen.amount), "the token refused");
        emit Paid(id, chosen.recipient, chosen.amount);
    }
}
