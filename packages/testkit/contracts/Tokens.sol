// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20 as SoladyERC20} from "solady/src/tokens/ERC20.sol";

/// @notice Balances as Solady packs their keys: keccak(holder ++ seed), in no declared slot.
contract SoladyToken is SoladyERC20 {
    constructor(uint256 supply) {
        _mint(msg.sender, supply);
    }

    function name() public pure override returns (string memory) {
        return "Solady Token";
    }

    function symbol() public pure override returns (string memory) {
        return "SOLA";
    }
}

/// @notice Holds the balances of a token that is another contract.
contract BalanceStore {
    mapping(address => uint256) public balances;
    address public token;

    function setToken(address token_) external {
        require(token == address(0), "token is set");
        token = token_;
    }

    function set(address holder, uint256 amount) external {
        require(msg.sender == token, "only the token");
        balances[holder] = amount;
    }
}

/// @notice An ERC-20 whose balances are in another contract.
contract SeparateStorageToken {
    string public constant name = "Separate Storage Token";
    string public constant symbol = "SEP";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    BalanceStore public immutable store;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply) {
        store = new BalanceStore();
        store.setToken(address(this));
        totalSupply = supply;
        store.set(msg.sender, supply);
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return store.balances(holder);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        store.set(from, balanceOf(from) - amount);
        store.set(to, balanceOf(to) + amount);
        emit Transfer(from, to, amount);
    }
}

/// @notice An ERC-20 that keeps a flag and a time in the word of the balance, as USDC keeps its blacklist bit.
contract PackedToken {
    string public constant name = "Packed Token";
    string public constant symbol = "PACK";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;

    uint256 private constant FROZEN = 1 << 255;
    uint256 private constant BALANCE = (1 << 128) - 1;
    /// Bit 255: frozen. Bits 128 to 191: time of the last change. Bits 0 to 127: balance.
    mapping(address => uint256) private words;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        totalSupply = supply;
        _write(msg.sender, supply);
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return words[holder] & BALANCE;
    }

    function isFrozen(address holder) public view returns (bool) {
        return words[holder] & FROZEN != 0;
    }

    function freeze(address holder, bool frozen) external {
        words[holder] = (words[holder] & ~FROZEN) | (frozen ? FROZEN : 0);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(!isFrozen(msg.sender) && !isFrozen(to), "frozen");
        require(balanceOf(msg.sender) >= amount, "balance too low");
        _write(msg.sender, balanceOf(msg.sender) - amount);
        _write(to, balanceOf(to) + amount);
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function _write(address holder, uint256 amount) private {
        words[holder] = (words[holder] & FROZEN) | (block.timestamp << 128) | amount;
    }
}

/// @notice A packed balance that is not in the low bits: bits 16 to 111, as Aave's and Compound's structs have it.
contract ShiftedToken {
    string public constant name = "Shifted Token";
    string public constant symbol = "SHFT";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    struct Holding {
        uint16 flags;
        uint96 balance;
        uint128 index;
    }

    mapping(address => Holding) private holdings;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint96 supply) {
        totalSupply = supply;
        holdings[msg.sender] = Holding(7, supply, 1e27);
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return holdings[holder].balance;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(amount <= type(uint96).max, "amount too large");
        holdings[msg.sender].balance -= uint96(amount);
        holdings[to].balance += uint96(amount);
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @notice Balances are shares of a pool, as stETH's are: no slot holds the balance.
contract RebasingToken {
    string public constant name = "Rebasing Token";
    string public constant symbol = "REB";
    uint8 public constant decimals = 18;
    uint256 public totalShares;
    uint256 public totalSupply;
    mapping(address => uint256) public shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        totalShares = supply;
        totalSupply = supply * 2;
        shares[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return shares[holder] * totalSupply / totalShares;
    }

    function rebase(uint256 supply) external {
        totalSupply = supply;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 moved = amount * totalShares / totalSupply;
        shares[msg.sender] -= moved;
        shares[to] += moved;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @notice Balances where Vyper puts them: keccak(slot ++ holder), the other way round than Solidity.
contract VyperLayoutToken {
    string public constant name = "Vyper Layout Token";
    string public constant symbol = "VYP";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    uint256 private constant BALANCES = 3;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        totalSupply = supply;
        _write(msg.sender, supply);
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address holder) public view returns (uint256 amount) {
        bytes32 key = _key(holder);
        assembly {
            amount := sload(key)
        }
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(balanceOf(msg.sender) >= amount, "balance too low");
        _write(msg.sender, balanceOf(msg.sender) - amount);
        _write(to, balanceOf(to) + amount);
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function _key(address holder) private pure returns (bytes32 key) {
        assembly {
            mstore(0x00, BALANCES)
            mstore(0x20, holder)
            key := keccak256(0x00, 0x40)
        }
    }

    function _write(address holder, uint256 amount) private {
        bytes32 key = _key(holder);
        assembly {
            sstore(key, amount)
        }
    }
}

/// @notice Sends each selector to the facet that has it, as EIP-2535 diamonds do.
contract DiamondToken {
    mapping(bytes4 => address) public facets;

    constructor(uint256 supply) {
        address facet = address(new TokenFacet());
        bytes4[6] memory selectors = [
            TokenFacet.name.selector,
            TokenFacet.symbol.selector,
            TokenFacet.decimals.selector,
            TokenFacet.totalSupply.selector,
            TokenFacet.balanceOf.selector,
            TokenFacet.transfer.selector
        ];
        for (uint256 i = 0; i < selectors.length; i++) facets[selectors[i]] = facet;
        (bool ok,) = facet.delegatecall(abi.encodeCall(TokenFacet.mint, (msg.sender, supply)));
        require(ok, "mint failed");
    }

    fallback() external payable {
        address facet = facets[msg.sig];
        require(facet != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice The token functions of `DiamondToken`; its storage is in a place of its own.
contract TokenFacet {
    struct Layout {
        uint256 totalSupply;
        mapping(address => uint256) balances;
    }

    event Transfer(address indexed from, address indexed to, uint256 value);

    function name() external pure returns (string memory) {
        return "Diamond Token";
    }

    function symbol() external pure returns (string memory) {
        return "DIA";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function totalSupply() external view returns (uint256) {
        return _layout().totalSupply;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return _layout().balances[holder];
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _layout().balances[msg.sender] -= amount;
        _layout().balances[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function mint(address to, uint256 amount) external {
        require(_layout().totalSupply == 0, "minted");
        _layout().totalSupply = amount;
        _layout().balances[to] = amount;
        emit Transfer(address(0), to, amount);
    }

    function _layout() private pure returns (Layout storage layout) {
        bytes32 slot = keccak256("understudy.testkit.token.facet");
        assembly {
            layout.slot := slot
        }
    }
}
