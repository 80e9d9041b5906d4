// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

error TooSmall(uint256 given, uint256 least);

library Amounts {
    function check(uint256 amount) internal pure returns (uint256) {
        require(amount != 13, "unlucky");
        return amount + 1;
    }

    function reach(uint256[] storage list, uint256 amount) external view returns (uint256) {
        if (amount == 14) revert TooSmall(amount, list.length);
        return amount;
    }

    function append(uint256[] storage list) external {
        list.push(1);
    }
}

interface Other {
    function answer(uint256 a) external view returns (uint256);
}

/// Answers with as many bytes as its call says.
contract Short {
    fallback() external payable {
        assembly {
            return(0, calldataload(4))
        }
    }
}

contract Child {
    uint256 public immutable number;

    constructor(uint256 number_) payable {
        require(number_ != 7, "seven");
        number = 100 / number_;
    }

    function divide(uint256 a) external view returns (uint256) {
        return number / a;
    }

    function burn() external pure {
        while (true) {}
    }

    function breaks() external pure {
        assembly {
            invalid()
        }
    }
}

contract PlainChild {}

contract Refuses {
    constructor() {
        revert TooSmall(1, 2);
    }
}

abstract contract Owned {
    address public owner = msg.sender;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    modifier limited(uint256 a) {
        _;
        if (a > 5) {
            revert("over the limit");
        }
    }

    function inherited(uint256 a) internal view virtual returns (uint256) {
        require(a < 100, string.concat("too large", "!"));
        return a * 2;
    }
}

contract Proxy {
    address immutable target;

    constructor(address target_) {
        target = target_;
    }

    fallback() external payable {
        (bool ok, bytes memory answer) = target.delegatecall(msg.data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

contract Failures is Owned {
    using Amounts for uint256[];

    enum Colour {
        Red,
        Green
    }

    uint256[] values;
    bytes packed = "ab";
    mapping(address => uint256) balances;
    uint8 small = 255;
    Child child = new Child(1);
    function(uint256) internal returns (uint256) pointer;

    function plain() external pure {
        revert("plain");
    }

    function bare() external {
        delete values;
        revert();
    }

    function requireBare(uint256 a) external pure {
        require(a == 1);
    }

    function asserts(uint256 a) external pure {
        assert(a > 5);
    }

    function custom(uint256 a) external pure {
        if (a < 10) {
            revert TooSmall({given: a, least: 10});
        }
    }

    function overflow() external {
        small += 1;
    }

    function index(uint256 at) external view returns (uint256) {
        return values[at];
    }

    function pop() external {
        values.pop();
    }

    function cast(uint256 a) external pure returns (Colour) {
        return Colour(a);
    }

    function allocates(uint256 a) external pure returns (uint256) {
        uint256[] memory list = new uint256[](a);
        return list.length;
    }

    function byPointer() external returns (uint256) {
        return pointer(1);
    }

    function inheritedly(uint256 a) external view returns (uint256) {
        return middle(a) + 1;
    }

    function middle(uint256 a) private view returns (uint256) {
        uint256 b = a + 1;
        return inherited(b) + b;
    }

    function library_(uint256 a) external pure returns (uint256) {
        return Amounts.check(a);
    }

    function linked(uint256 a) external view returns (uint256) {
        return values.reach(a);
    }

    function guarded() external onlyOwner {
        small = 1;
    }

    function bounded(uint256 a) external limited(a) {
        small = 2;
    }

    function divides(uint256 a) external view returns (uint256) {
        return child.divide(a);
    }

    function creates(uint256 a) external returns (address) {
        return address(new Child(a));
    }

    function collides() external returns (address) {
        new PlainChild{salt: 0}();
        return address(new PlainChild{salt: 0}());
    }

    function noCode(address other) external view returns (uint256) {
        return Other(other).answer(7);
    }

    function shortAnswer(address other, uint256 bytes_) external view returns (uint256) {
        return Other(other).answer(bytes_);
    }

    function badAnswer(bytes calldata data) external pure returns (bool, address) {
        return abi.decode(data, (bool, address));
    }

    function lowLevel(address other, bytes calldata data) external {
        (bool ok, bytes memory answer) = other.call(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function checksCall(address other, bytes calldata data) external {
        (bool ok,) = other.call(data);
        require(ok, "the call failed");
    }

    function pays(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    function paysChild(uint256 amount) external {
        child = new Child{value: amount}(1);
    }

    function caught(uint256 a) external view returns (uint256) {
        try child.divide(a) returns (uint256 b) {
            return b;
        } catch {
            revert("caught");
        }
    }

    function runsOut() external view {
        child.burn{gas: 20000}();
    }

    function breaks() external view {
        child.breaks();
    }

    function loops(uint256 a) external view returns (uint256 sum) {
        for (uint256 i = 0; i < 20; i++) {
            sum += middle(i) + Amounts.check(1);
        }
        sum += middle(a);
    }

    function recurses(uint256 a) public pure returns (uint256) {
        if (a == 0) {
            revert("the end");
        }
        return recurses(a - 1) + 1;
    }

    function selfCalls(uint256 a) external view returns (uint256) {
        return this.inheritedly(a);
    }

    function typed(address a, bool b) external pure returns (bool) {
        return a == address(0) && b;
    }

    function precompile() external view returns (bytes memory) {
        (bool ok, bytes memory out) = address(8).staticcall(hex"01");
        require(ok, "the precompile failed");
        return out;
    }

    function writes() external {
        small = 7;
    }

    function staticWrites() external view {
        (bool ok,) = address(this).staticcall(abi.encodeCall(this.writes, ()));
        require(ok, "it was static");
    }

    function ternary(uint256 a) external view returns (uint256) {
        return a > 5 ? inherited(a) : Amounts.check(a);
    }

    function negative(int256 a) external pure returns (int256) {
        return -a;
    }

    function converts(uint256 a) external pure returns (bytes4) {
        bytes memory text = new bytes(a);
        return bytes4(text[a]) | bytes4(text[0]);
    }
}

contract Payments {
    receive() external payable {
        require(msg.value != 3, "three");
    }
}

contract Refusing {
    fallback() external {
        if (msg.data.length == 5) {
            revert("five bytes");
        }
    }
}
