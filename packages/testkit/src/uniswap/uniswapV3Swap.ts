import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path/posix'

const require = createRequire(import.meta.url)

export const swapPath = 'contracts/Swap.sol'
/** A pool that swaps an exact input by the libraries of Uniswap V3. Lines end with `// NAME`, by which tests name them. */
export const swapSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SwapMath} from "uniswap-v3-core/contracts/libraries/SwapMath.sol";
import {Tick} from "uniswap-v3-core/contracts/libraries/Tick.sol";
import {TickBitmap} from "uniswap-v3-core/contracts/libraries/TickBitmap.sol";
import {TickMath} from "uniswap-v3-core/contracts/libraries/TickMath.sol";
import {IUniswapV3SwapCallback} from "uniswap-v3-core/contracts/interfaces/callback/IUniswapV3SwapCallback.sol";

contract Token {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function move(address from, address to, uint256 amount) external {
        balanceOf[from] -= amount; // takes
        balanceOf[to] += amount; // gives
    }
}

contract Pool {
    using Tick for mapping(int24 => Tick.Info);
    using TickBitmap for mapping(int16 => uint256);

    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        bool unlocked;
    }
    struct State {
        int256 remaining;
        int256 calculated;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }
    struct Step {
        int24 tickNext;
        bool initialized;
        uint160 sqrtPriceNextX96;
        uint256 amountIn;
        uint256 amountOut;
        uint256 fee;
    }

    int24 private constant spacing = 60;
    Token public immutable token0 = new Token();
    Token public immutable token1 = new Token();
    Slot0 public slot0 = Slot0(1 << 96, 0, true);
    uint128 public liquidity;
    mapping(int24 => Tick.Info) public ticks;
    mapping(int16 => uint256) public tickBitmap;

    modifier lock() {
        require(slot0.unlocked, "LOK");
        slot0.unlocked = false;
        _;
        slot0.unlocked = true;
    }

    function provide(int24 width, uint128 amount) external lock {
        liquidity += amount;
        _provide(-width, amount, false);
        _provide(width, amount, true);
        token0.mint(address(this), amount);
        token1.mint(address(this), amount);
    }

    function _provide(int24 tick, uint128 amount, bool upper) private {
        uint128 most = type(uint128).max;
        if (ticks.update(tick, slot0.tick, int128(amount), 0, 0, 0, 0, 0, upper, most)) tickBitmap.flipTick(tick, spacing);
    }

    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 limit, bytes calldata data)
        external
        lock
        returns (int256 amount0, int256 amount1)
    {
        Slot0 memory start = slot0; // begins
        State memory state = State(amountSpecified, 0, start.sqrtPriceX96, start.tick, liquidity); // state
        while (state.remaining != 0 && state.sqrtPriceX96 != limit) {
            Step memory step;
            (step.tickNext, step.initialized) =
                tickBitmap.nextInitializedTickWithinOneWord(state.tick, spacing, zeroForOne);
            step.sqrtPriceNextX96 = TickMath.getSqrtRatioAtTick(step.tickNext); // target
            (state.sqrtPriceX96, step.amountIn, step.amountOut, step.fee) = SwapMath.computeSwapStep(
                state.sqrtPriceX96, step.sqrtPriceNextX96, state.liquidity, state.remaining, 3000); // computes
            state.remaining -= int256(step.amountIn + step.fee); // pays
            state.calculated -= int256(step.amountOut); // gets
            if (state.sqrtPriceX96 == step.sqrtPriceNextX96) {
                if (step.initialized) {
                    int128 net = ticks.cross(step.tickNext, 0, 0, 0, 0, 0); // crosses
                    state.liquidity = shifted(state.liquidity, zeroForOne ? -net : net); // shifts
                }
                state.tick = zeroForOne ? step.tickNext - 1 : step.tickNext;
            } else {
                state.tick = TickMath.getTickAtSqrtRatio(state.sqrtPriceX96);
            }
        }
        (slot0.sqrtPriceX96, slot0.tick) = (state.sqrtPriceX96, state.tick); // stores
        liquidity = state.liquidity; // after
        (amount0, amount1) = zeroForOne
            ? (amountSpecified - state.remaining, state.calculated)
            : (state.calculated, amountSpecified - state.remaining);
        (zeroForOne ? token1 : token0).move(address(this), recipient, uint256(-state.calculated)); // sends
        IUniswapV3SwapCallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data); // asks
    }

    function shifted(uint128 from, int128 by) private pure returns (uint128 to) {
        to = uint128(int128(from) + by); // shifted
    }
}

contract Router is IUniswapV3SwapCallback {
    struct Payment {
        address payer;
        string note;
    }

    function exactInput(Pool pool, uint256 amount, string calldata note) external returns (uint256 received) {
        bytes memory data = abi.encode(Payment(msg.sender, note));
        uint160 limit = TickMath.MIN_SQRT_RATIO + 1;
        (, int256 amount1) = pool.swap(msg.sender, true, int256(amount), limit, data); // swaps
        received = uint256(-amount1); // received
        note;
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external override {
        Payment memory payment = abi.decode(data, (Payment));
        amount1;
        Pool(msg.sender).token0().move(payment.payer, msg.sender, uint256(amount0)); // settles
    }
}
`
/** The line that ends with `// NAME`. */
export const swapLine = (name: string) => swapSource.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1

/** The library's files that a source imports, by the paths of their imports. */
export function importedFiles(
  source = swapSource,
  found: Record<string, string> = {},
  folder = '',
): Record<string, string> {
  for (const [, path = ''] of source.matchAll(/^import .*?["']([^"']+)["'];/gm)) {
    const name = path.startsWith('.') ? join(folder, path) : path
    if (name in found) continue
    found[name] = readFileSync(require.resolve(name), 'utf8')
    importedFiles(found[name], found, dirname(name))
  }
  return found
}

/** What the trader sends, and the liquidity of the two positions. */
export const swapAmount = 40_000n * 10n ** 18n
export const wideLiquidity = 10n ** 24n
export const narrowLiquidity = 10n ** 23n
