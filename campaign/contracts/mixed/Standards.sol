// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract StandardToken is ERC20("Token", "TKN"), Ownable(msg.sender), Pausable {
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function pause() external {
        _pause();
    }

    function _update(address from, address to, uint256 amount) internal override whenNotPaused {
        super._update(from, to, amount);
    }
}

contract StandardCollectible is ERC721("Item", "ITM") {
    function give(address to, uint256 id) external {
        _safeMint(to, id);
    }
}

contract Vault is AccessControl, ReentrancyGuard {
    using SafeERC20 for IERC20;

    bytes32 public constant KEEPER = keccak256("KEEPER");

    function deposit(IERC20 token, uint256 amount) external {
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    function sweep(IERC20 token) external onlyRole(KEEPER) {
        token.safeTransfer(msg.sender, 1);
    }

    function again() external nonReentrant {
        this.again();
    }

    function forward(address to, bytes calldata data) external returns (bytes memory) {
        return Address.functionCall(to, data);
    }

    function scale(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        return Math.mulDiv(a, b, c);
    }

    function narrow(uint256 a) external pure returns (uint128) {
        return SafeCast.toUint128(a);
    }
}

contract StandardProxy is ERC1967Proxy {
    constructor(address target) ERC1967Proxy(target, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }
}
