// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

interface Pair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// @notice A lending market: loans of one token against another, at the price of a Uniswap V2 pair.
contract LendingMarket is ReentrancyGuard {
    using SafeERC20 for IERC20;

    IERC20 public collateral;
    IERC20 public loan;
    Pair public pair;
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public debts;

    event Borrowed(address indexed account, uint256 amount);
    event Liquidated(address indexed account, address indexed by, uint256 repaid, uint256 seized);

    function initialize(IERC20 collateral_, IERC20 loan_, Pair pair_) external {
        require(address(pair) == address(0), "initialized");
        (collateral, loan, pair) = (collateral_, loan_, pair_);
    }

    /// @notice How much of the deposits' value may be borrowed, in percent.
    function limitPercent() public pure virtual returns (uint256) {
        return 75;
    }

    function limitOf(address account) public view returns (uint256) {
        (uint256 a, uint256 b,) = pair.getReserves();
        (uint256 own, uint256 other) = pair.token0() == address(collateral) ? (a, b) : (b, a);
        return Math.mulDiv(deposits[account], other, own) * limitPercent() / 100;
    }

    function deposit(uint256 amount) external nonReentrant {
        deposits[msg.sender] += amount;
        collateral.safeTransferFrom(msg.sender, address(this), amount);
    }

    function borrow(uint256 amount) external nonReentrant {
        debts[msg.sender] += amount;
        require(debts[msg.sender] <= limitOf(msg.sender), "above the limit");
        loan.safeTransfer(msg.sender, amount);
        emit Borrowed(msg.sender, amount);
    }

    function repay(uint256 amount) external nonReentrant {
        debts[msg.sender] -= amount;
        loan.safeTransferFrom(msg.sender, address(this), amount);
    }

    function liquidate(address account) external nonReentrant {
        uint256 debt = debts[account];
        require(debt > limitOf(account), "solvent");
        uint256 seized = deposits[account];
        (debts[account], deposits[account]) = (0, 0);
        loan.safeTransferFrom(msg.sender, address(this), debt);
        collateral.safeTransfer(msg.sender, seized);
        emit Liquidated(account, msg.sender, debt, seized);
    }
}

/// @notice The same with an error: it lends less, so that some loans fail and others can be liquidated early.
contract StricterLendingMarket is LendingMarket {
    function limitPercent() public pure override returns (uint256) {
        return 60;
    }
}

/// @notice Sells one token after another to the highest bidder of some blocks.
contract Auction is ERC721, ReentrancyGuard {
    uint256 public current = 1;
    uint256 public ends;
    uint256 public highest;
    address public bidder;

    event Bid(uint256 indexed id, address indexed by, uint256 amount);

    constructor() ERC721("Auctioned", "AUCT") {
        ends = block.number + 5;
    }

    function bid() external payable nonReentrant {
        require(block.number <= ends && msg.value > highest, "too late or too low");
        (address before, uint256 amount) = (bidder, highest);
        (bidder, highest) = (msg.sender, msg.value);
        if (before != address(0)) payable(before).transfer(amount);
        emit Bid(current, msg.sender, msg.value);
    }

    function settle() external nonReentrant {
        require(block.number > ends, "open");
        if (bidder != address(0)) _mint(bidder, current++);
        (bidder, highest, ends) = (address(0), 0, block.number + 5);
    }
}

/// @notice A lending market behind a proxy, which anyone upgrades.
contract UpgradeableMarket is LendingMarket, UUPSUpgradeable {
    function _authorizeUpgrade(address) internal override {}
}

contract MarketProxy is ERC1967Proxy {
    constructor(address implementation, bytes memory data) ERC1967Proxy(implementation, data) {}
}
