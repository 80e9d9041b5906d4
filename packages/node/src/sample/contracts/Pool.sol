// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "./ERC20.sol";

/// @notice A pool of two tokens that keeps the product of its reserves, with a fee of 0.3 %. Its shares are a token themselves.
/// Tokens are pulled from the caller, so a caller approves the pool first.
contract Pool is ERC20 {
    string public constant name = "Sample Pool Share";
    string public constant symbol = "SPS";
    uint8 public constant decimals = 18;

    ERC20 public immutable token0;
    ERC20 public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private updatedAt;

    event Sync(uint112 reserve0, uint112 reserve1);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    error NotInPool(address token);
    error OutputTooLow(uint256 amount, uint256 minimum);
    error NothingMinted();

    constructor(ERC20 tokenA, ERC20 tokenB) {
        (token0, token1) = address(tokenA) < address(tokenB) ? (tokenA, tokenB) : (tokenB, tokenA);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, updatedAt);
    }

    /// @notice What `amountIn` of a token would buy now.
    function quote(address tokenIn, uint256 amountIn) public view returns (uint256) {
        if (tokenIn != address(token0) && tokenIn != address(token1)) revert NotInPool(tokenIn);
        (uint256 reserveIn, uint256 reserveOut) =
            tokenIn == address(token0) ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 afterFee = amountIn * 997;
        return afterFee * reserveOut / (reserveIn * 1000 + afterFee);
    }

    function swap(address tokenIn, uint256 amountIn, uint256 minimumOut, address to) external returns (uint256 out) {
        out = quote(tokenIn, amountIn);
        if (out < minimumOut) revert OutputTooLow(out, minimumOut);
        if (tokenIn == address(token0)) {
            token0.transferFrom(msg.sender, address(this), amountIn);
            token1.transfer(to, out);
            _sync();
            emit Swap(msg.sender, amountIn, 0, 0, out, to);
        } else {
            token1.transferFrom(msg.sender, address(this), amountIn);
            token0.transfer(to, out);
            _sync();
            emit Swap(msg.sender, 0, amountIn, out, 0, to);
        }
    }

    function mint(uint256 amount0, uint256 amount1, address to) external returns (uint256 shares) {
        shares = totalSupply == 0
            ? _root(amount0 * amount1)
            : _least(amount0 * totalSupply / reserve0, amount1 * totalSupply / reserve1);
        if (shares == 0) revert NothingMinted();
        token0.transferFrom(msg.sender, address(this), amount0);
        token1.transferFrom(msg.sender, address(this), amount1);
        _mint(to, shares);
        _sync();
        emit Mint(msg.sender, amount0, amount1);
    }

    function burn(uint256 shares, address to) external returns (uint256 amount0, uint256 amount1) {
        amount0 = shares * reserve0 / totalSupply;
        amount1 = shares * reserve1 / totalSupply;
        _burn(msg.sender, shares);
        token0.transfer(to, amount0);
        token1.transfer(to, amount1);
        _sync();
        emit Burn(msg.sender, amount0, amount1);
    }

    function _sync() private {
        reserve0 = uint112(token0.balanceOf(address(this)));
        reserve1 = uint112(token1.balanceOf(address(this)));
        updatedAt = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }

    function _least(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function _root(uint256 value) private pure returns (uint256 root) {
        root = value;
        uint256 next = value / 2 + 1;
        while (next < root) {
            root = next;
            next = (value / next + next) / 2;
        }
    }
}
