// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Token that behaves like USDT on Ethereum in every way that has cost integrators money: `transfer`, `transferFrom` and
/// `approve` return nothing, an allowance must be set to zero before it is changed, accounts can be blocked, transfers can
/// be paused, and a fee in basis points can be switched on. The creator chooses its decimals: 6 as on Ethereum, or 18 as
/// on BNB Smart Chain.
contract TestTether {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;

    address public immutable owner = msg.sender;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 digits) {
        decimals = digits;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance too low");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "zero the allowance first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function mint(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setBlackListed(address account, bool blocked) external onlyOwner {
        isBlackListed[account] = blocked;
    }

    function setPaused(bool stopped) external onlyOwner {
        paused = stopped;
    }

    function setFee(uint256 basisPoints, uint256 most) external onlyOwner {
        basisPointsRate = basisPoints;
        maximumFee = most;
    }

    function move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!isBlackListed[from] && !isBlackListed[to], "blacklisted");
        require(balanceOf[from] >= value, "balance too low");
        uint256 fee = (value * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
    }
}
