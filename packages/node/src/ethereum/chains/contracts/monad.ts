import { addressFromNumber } from '../../../shared/hex.ts'
import type { ChainContract } from './chainContract.ts'

/** Of https://docs.monad.xyz/reference/staking/api: what only reads is a view here, although only CALL may call it. */
const staking = [
  'function addValidator(bytes payload, bytes signedSecpMessage, bytes signedBlsMessage) payable returns (uint64 validatorId)',
  'function delegate(uint64 validatorId) payable returns (bool success)',
  'function undelegate(uint64 validatorId, uint256 amount, uint8 withdrawId) returns (bool success)',
  'function withdraw(uint64 validatorId, uint8 withdrawId) returns (bool success)',
  'function compound(uint64 validatorId) returns (bool success)',
  'function claimRewards(uint64 validatorId) returns (bool success)',
  'function changeCommission(uint64 validatorId, uint256 commission) returns (bool success)',
  'function externalReward(uint64 validatorId) payable returns (bool success)',
  'function getValidator(uint64 validatorId) view returns (address authAddress, uint64 flags, uint256 stake, uint256 accRewardPerToken, uint256 commission, uint256 unclaimedRewards, uint256 consensusStake, uint256 consensusCommission, uint256 snapshotStake, uint256 snapshotCommission, bytes secpPubkey, bytes blsPubkey)',
  'function getDelegator(uint64 validatorId, address delegator) view returns (uint256 stake, uint256 accRewardPerToken, uint256 unclaimedRewards, uint256 deltaStake, uint256 nextDeltaStake, uint64 deltaEpoch, uint64 nextDeltaEpoch)',
  'function getWithdrawalRequest(uint64 validatorId, address delegator, uint8 withdrawId) view returns (uint256 withdrawalAmount, uint256 accRewardPerToken, uint64 withdrawEpoch)',
  'function getConsensusValidatorSet(uint32 startIndex) view returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getSnapshotValidatorSet(uint32 startIndex) view returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getExecutionValidatorSet(uint32 startIndex) view returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getDelegations(address delegator, uint64 startValId) view returns (bool isDone, uint64 nextValId, uint64[] valIds)',
  'function getDelegators(uint64 validatorId, address startDelegator) view returns (bool isDone, address nextDelegator, address[] delegators)',
  'function getEpoch() view returns (uint64 epoch, bool inEpochDelayPeriod)',
  'function getProposerValId() view returns (uint64 val_id)',
  'event ValidatorRewarded(uint64 indexed validatorId, address indexed from, uint256 amount, uint64 epoch)',
  'event ValidatorCreated(uint64 indexed validatorId, address indexed authAddress, uint256 commission)',
  'event ValidatorStatusChanged(uint64 indexed validatorId, uint64 flags)',
  'event Delegate(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 activationEpoch)',
  'event Undelegate(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 activationEpoch)',
  'event Withdraw(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 epoch)',
  'event ClaimRewards(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 epoch)',
  'event CommissionChanged(uint64 indexed validatorId, uint256 oldCommission, uint256 newCommission)',
  'event EpochChanged(uint64 oldEpoch, uint64 newEpoch)',
]

/** What it answers depends on the transaction, of which the live chain knows nothing. */
const reserveBalance = ['function dippedIntoReserve() returns (bool)']

export const monadContracts: readonly ChainContract[] = [
  { name: 'Staking', at: addressFromNumber(0x1000), abi: staking, answeredBy: 'liveChain', takesCallsOnly: true },
  {
    name: 'ReserveBalance',
    at: addressFromNumber(0x1001),
    abi: reserveBalance,
    answeredBy: 'liveChain',
    takesCallsOnly: true,
  },
]
