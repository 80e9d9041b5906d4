// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @notice Makes any calls in one transaction, and holds every kind of asset.
contract AssetRunner {
    struct Step {
        address to;
        uint256 value;
        bytes data;
        /// What it does when the call fails: reverts as the call did, or goes on.
        bool mayFail;
    }

    function run(Step[] calldata steps) external payable {
        for (uint256 i = 0; i < steps.length; i++) {
            (bool ok, bytes memory output) = steps[i].to.call{value: steps[i].value}(steps[i].data);
            if (ok || steps[i].mayFail) continue;
            assembly {
                revert(add(output, 32), mload(output))
            }
        }
    }

    /// @notice Ether that reaches its heir without a call of it.
    function bequeath(address payable heir) external payable {
        new Bequest{value: msg.value}(heir);
    }

    /// @notice Moves what was sent, and takes it back by failing.
    function moveAndFail(address payable to) external payable {
        (bool ok,) = to.call{value: msg.value}("");
        require(!ok, "moved in vain");
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    receive() external payable {}
}

/// @notice Answers many questions in one call.
contract BalanceReader {
    struct Question {
        /// The zero address for ether.
        address token;
        address holder;
        /// The whole call of the token.
        bytes data;
    }

    function read(Question[] calldata questions) external view returns (uint256[] memory answers) {
        answers = new uint256[](questions.length);
        for (uint256 i = 0; i < questions.length; i++) {
            if (questions[i].token == address(0)) {
                answers[i] = questions[i].holder.balance;
                continue;
            }
            (bool ok, bytes memory output) = questions[i].token.staticcall(questions[i].data);
            require(ok, "no balance");
            answers[i] = abi.decode(output, (uint256));
        }
    }
}

contract Bequest {
    constructor(address payable heir) payable {
        selfdestruct(heir);
    }
}

/// @notice Tells of nothing that it does.
contract QuietToken {
    string public constant name = "Quiet Token";
    string public constant symbol = "QUIET";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function burn(address from, uint256 amount) external {
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @notice Takes a twentieth of each transfer, of which its event does not tell.
contract SkimmingToken is ERC20 {
    constructor() ERC20("Skimming Token", "SKIM") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from == address(0) || to == address(0)) return;
        // Without an event of its own: the balance is written as the one of a holder that nobody asks for.
        bytes32 slot = keccak256(abi.encode(to, uint256(0)));
        assembly {
            sstore(slot, sub(sload(slot), div(amount, 20)))
        }
    }
}

/// @notice Tells of moves that it does not make.
contract BoastingToken {
    string public constant name = "Boasting Token";
    string public constant symbol = "BOAST";
    uint8 public constant decimals = 18;
    uint256 public boasts;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 amount) external returns (bool) {
        boasts++;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @notice What it says of itself takes all gas that it gets, fails, or is no number of decimals.
contract HostileToken {
    mapping(address => uint256) private balances;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function name() external pure returns (string memory) {
        revert("no name");
    }

    function symbol() external pure returns (string memory) {
        while (true) {}
        return "";
    }

    function decimals() external pure returns (uint256) {
        return 1e30;
    }

    function balanceOf(address) external view returns (uint256 sum) {
        for (uint256 i = 0;; i++) sum += balances[address(uint160(i))];
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balances[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

contract PermitToken is ERC20, ERC20Permit {
    constructor(uint256 supply) ERC20("Permit Token", "PERM") ERC20Permit("Permit Token") {
        _mint(msg.sender, supply);
    }
}

contract Medals is ERC1155 {
    constructor() ERC1155("") {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function burn(address from, uint256 id, uint256 amount) external {
        _burn(from, id, amount);
    }
}
