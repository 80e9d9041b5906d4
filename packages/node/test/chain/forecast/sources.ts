/** Contracts that rely on amounts of gas, and one that does not. Lines end with `// NAME`, by which tests name them. */
export const forecastPath = 'src/Treasury.sol'
export const forecastSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Accepts ether only while its guard has code.
contract Payee {
    address immutable guard;
    event Received(address indexed from, uint256 indexed amount);
    constructor(address guard_) { guard = guard_; }
    receive() external payable {
        require(guard.code.length > 0);
        emit Received(msg.sender, msg.value);
    }
    function claim(Treasury treasury, uint256 amount) external { treasury.withdraw(amount); }
}

/// Computes powers while it accepts ether.
contract Prover {
    receive() external payable {
        bytes32[6] memory input = [bytes32(uint256(32)), bytes32(uint256(1)), bytes32(uint256(32)), bytes32(uint256(3)), bytes32(uint256(7)) << 248, 0];
        assembly {
            for { let i := 0 } lt(i, 5) { i := add(i, 1) } { pop(staticcall(600, 5, input, 192, input, 32)) }
        }
    }
    function claim(Treasury treasury, uint256 amount) external { treasury.release(amount); }
}

contract Treasury {
    mapping(address => uint256) public shares;
    function deposit(address owner) external payable { shares[owner] += msg.value; }
    function withdraw(uint256 amount) external {
        shares[msg.sender] -= amount;
        (bool done,) = msg.sender.call{value: amount, gas: 2300}(""); // withdraw
        require(done, "not paid");
    }
    function release(uint256 amount) external {
        shares[msg.sender] -= amount;
        payable(msg.sender).transfer(amount); // transfer
    }
}

contract Ledger {
    mapping(uint256 => uint256) public entries;
    uint256 public total = 1;
    function record(uint256 key) external {
        entries[key] = 1; // entry
    }
    function add(uint256 amount) external returns (uint256) {
        total += amount; // total
        return total;
    }
}

contract Relay {
    function relay(Ledger ledger, uint256 key) external {
        (bool done,) = address(ledger).call{gas: 40000}(abi.encodeCall(Ledger.record, (key))); // relay
        require(done, "not recorded");
    }
    function attempt(Ledger ledger, uint256 key) external {
        try ledger.record(key) {} catch {} // attempt
    }
}

contract Quotes {
    event Quoted(uint256 amount);
    function quote(uint256 amount) external { emit Quoted(amount * 2); }
}
`

export const lineOf = (mark: string): number =>
  forecastSource.split('\n').findIndex((text) => text.endsWith(`// ${mark}`)) + 1
