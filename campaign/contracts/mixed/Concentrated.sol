// SPDX-License-Identifier: MIT
pragma solidity =0.7.6;
pragma abicoder v2;

import "@uniswap/v3-core/contracts/libraries/FullMath.sol";
import "@uniswap/v3-core/contracts/libraries/LiquidityMath.sol";
import "@uniswap/v3-core/contracts/libraries/Oracle.sol";
import "@uniswap/v3-core/contracts/libraries/SqrtPriceMath.sol";
import "@uniswap/v3-core/contracts/libraries/TickMath.sol";
import "@uniswap/v3-periphery/contracts/base/Multicall.sol";
import "@uniswap/v3-periphery/contracts/base/PeripheryValidation.sol";
import "@uniswap/v3-periphery/contracts/libraries/Path.sol";
import "@uniswap/v3-periphery/contracts/libraries/TransferHelper.sol";

/// The libraries of Uniswap V3, as its pool and its router use them.
contract Concentrated is Multicall, PeripheryValidation {
    using Oracle for Oracle.Observation[65535];
    using Path for bytes;

    Oracle.Observation[65535] public observations;

    function price(int24 tick) external pure returns (uint160) {
        return TickMath.getSqrtRatioAtTick(tick);
    }

    function tick(uint160 at) external pure returns (int24) {
        return TickMath.getTickAtSqrtRatio(at);
    }

    function scale(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        return FullMath.mulDiv(a, b, c);
    }

    function withdraw(uint128 liquidity, int128 change) external pure returns (uint128) {
        return LiquidityMath.addDelta(liquidity, change);
    }

    function observe(uint32[] memory ago) external view returns (int56[] memory, uint160[] memory) {
        return observations.observe(uint32(block.timestamp), ago, 0, 0, 0, 0);
    }

    function next(uint160 at, uint128 liquidity, uint256 amount) external pure returns (uint160) {
        return SqrtPriceMath.getNextSqrtPriceFromInput(at, liquidity, amount, true);
    }

    function firstPool(bytes memory path) external pure returns (address, address, uint24) {
        return path.decodeFirstPool();
    }

    function swap(uint256 deadline) external view checkDeadline(deadline) returns (uint256) {
        return block.timestamp;
    }

    function send(address token, address to, uint256 amount) external {
        TransferHelper.safeTransfer(token, to, amount);
    }
}
