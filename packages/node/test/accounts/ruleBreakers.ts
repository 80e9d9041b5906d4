import { type Address, concatHex, type Hex, numberToHex, padHex } from 'viem'

/** Where `Ledger` is: a contract that is no entity. */
export const ledger: Address = '0x1ed9e20000000000000000000000000000001234'

/**
 * An account, a factory and a paymaster that accept every operation, after they did what a number says: the first byte of the
 * signature, the argument of `make`, the first byte of the paymaster's data.
 */
export const ruleBreakers = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Ledger {
    uint256 public total = 7;
    mapping(address => uint256) public balanceOf;

    function mark() external { assembly { tstore(5, 1) } }
    function credit(address holder) external { balanceOf[holder] += 1; }
}

contract Empty {}

struct Operation {
    address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits;
    uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature;
}

contract Account {
    Ledger constant ledger = Ledger(0x1eD9e20000000000000000000000000000001234);
    uint256 used;

    function validateUserOp(Operation calldata operation, bytes32, uint256) external returns (uint256) {
        uint8 what = uint8(operation.signature[0]);
        if (what == 2) require(ledger.total() < 100);
        if (what == 3) require(ledger.balanceOf(address(this)) < 100);
        if (what == 4) { (bool done,) = address(0xdead).call(""); require(done); }
        if (what == 5) { (bool done,) = address(ledger).call{value: 1}(""); done; }
        if (what == 8) new Empty();
        if (what == 9) call("balanceOf(address)", uint160(address(this)), 0);
        if (what == 10) used++;
        if (what == 11) { (bool done,) = address(ledger).staticcall{gas: 1000}(abi.encodeCall(ledger.total, ())); require(!done); }
        if (what == 12) ledger.mark();
        if (what == 13) require(ecrecover(0, 27, bytes32(uint256(1)), bytes32(uint256(1))) != address(this));
        if (what == 14) { (bool done,) = address(0x100).staticcall(""); require(done); }
        if (what == 15) { (bool done,) = address(0x200).staticcall(""); require(done); }
        if (what == 16) call("depositTo(address)", uint160(address(this)), 1);
        if (what == 17) { (bool done,) = msg.sender.call{value: 1}(""); require(done); }
        if (what == 18) call("incrementNonce(uint192)", 9, 0);
        if (what == 19) require(address(ledger).code.length > 0);
        if (what == 20) require(address(0xdead).code.length == 0);
        if (what == 21) ledger.credit(address(this));
        if (what == 22) ledger.credit(address(0xdead));
        if (what == 23) { (bool done,) = address(ledger).delegatecall(abi.encodeCall(ledger.credit, (address(0xdead)))); require(done); }
        return 0;
    }

    function call(string memory method, uint256 argument, uint256 value) private {
        (bool done,) = msg.sender.call{value: value}(abi.encodeWithSignature(method, argument));
        require(done);
    }
}

contract Factory {
    uint256 made;

    function make(uint8 what, bytes32 salt) external returns (Account) {
        if (what == 1) made++;
        if (what == 2) new Empty{salt: salt}();
        if (what == 3) new Empty();
        return new Account{salt: salt}();
    }
}

contract Paymaster {
    Ledger constant ledger = Ledger(0x1eD9e20000000000000000000000000000001234);
    uint256 used;

    function validatePaymasterUserOp(Operation calldata operation, bytes32, uint256) external returns (bytes memory, uint256) {
        uint8 what = uint8(operation.paymasterAndData[52]);
        if (what == 1) used++;
        if (what == 2) require(ledger.total() < 100);
        if (what == 3) ledger.credit(address(this));
        if (what == 4) ledger.credit(address(0xdead));
        if (what == 5) require(msg.sender.balance > 0);
        if (what == 6) ledger.credit(operation.sender);
        return ("", 0);
    }
}
`

/** Code that runs one operation, on stack words that are zero, and returns zero. */
export function codeThatRuns(operation: number): Hex {
  const zeros: Hex = `0x${'5f'.repeat(4)}`
  return concatHex([zeros, padHex(numberToHex(operation), { size: 1 }), '0x5f5f5260205ff3'])
}
