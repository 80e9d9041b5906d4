// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract PlainToken is ERC20 {
    constructor(string memory name, string memory symbol, uint256 supply) ERC20(name, symbol) {
        _mint(msg.sender, supply);
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice The implementation behind `TokenProxy`. Its own balances stay empty.
contract ProxiedToken is ERC20 {
    constructor() ERC20("Proxied Token", "PROX") {}

    /// @notice Called through the proxy, whose storage has no name yet: those of the proxy are constants here.
    function initialize(address to, uint256 supply) external {
        require(totalSupply() == 0, "initialized");
        _mint(to, supply);
    }

    function name() public pure override returns (string memory) {
        return "Proxied Token";
    }

    function symbol() public pure override returns (string memory) {
        return "PROX";
    }
}

contract TokenProxy is ERC1967Proxy {
    constructor(address implementation, bytes memory data) payable ERC1967Proxy(implementation, data) {}
}

contract Collectible is ERC721 {
    uint256 public nextId = 1;

    constructor() ERC721("Collectible", "COLL") {}

    function mint(address to) external returns (uint256 id) {
        id = nextId++;
        _mint(to, id);
    }
}
