import type { AuditLog } from '../audit/auditLog.ts'
import type { NetworkBranches } from '../branches/branches.ts'
import type { Chain } from '../chain/chain.ts'
import type { Wipes } from '../chain/rewind/wipes.ts'
import type { ClusterServices } from '../cluster/membership.ts'
import type { ContractLibrary } from '../contracts/contractLibrary.ts'
import type { Invariants } from '../invariants/invariants.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import type { Services } from '../rpc/services.ts'
import type { Senders } from '../senders/senders.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Tracking } from '../tracking/tracking.ts'
import type { ChainRules } from '../upstream/rules/chainRules.ts'

type Needs = {
  rules: Pick<ChainRules, 'refresh'>
  networkBranches: Pick<NetworkBranches<Services>, 'refresh' | 'start' | 'stop'>
  fidelity: Services['fidelity']
  shadow: Pick<Shadow, 'refresh' | 'start'>
  chain: Chain
  wipes: Wipes
  tracking: Tracking
  invariants: Pick<Invariants, 'refresh'>
  invariantFollowUps: Service
  webhook: Service
  overrides: FunctionOverrides
  senders: Senders
  library: ContractLibrary
  audit: AuditLog
  changes: Services['changes']
}

/** Starts and stops the services when this node begins or ends to seal. */
export function createClusterServices(needs: Needs): ClusterServices {
  const { rules, fidelity, shadow, chain, wipes, tracking, invariants, overrides, senders, library, audit, changes } =
    needs
  const { networkBranches, invariantFollowUps, webhook } = needs
  return {
    async applyRemoteChanges(notice) {
      await rules.refresh(notice)
      await networkBranches.refresh(notice)
      await fidelity.refresh(notice)
      await shadow.refresh(notice)
      await overrides.refresh(notice)
      await senders.refresh(notice)
      await library.refresh(notice)
      await wipes.refresh(notice)
      await chain.refresh(notice)
      await tracking.refresh(notice)
      await invariants.refresh(notice)
      for (const method of await audit.applyRemoteChanges(notice)) changes.emit('changed', { method })
    },
    async beginSealing(when) {
      await shadow.start()
      await chain.start()
      if (when === 'at startup') await wipes.start()
      else wipes.resume()
      await tracking.start()
      await networkBranches.start()
      await invariantFollowUps.start()
      await webhook.start()
    },
    async endSealing() {
      await webhook.stop()
      await invariantFollowUps.stop()
      await networkBranches.stop()
      await wipes.stop()
      await tracking.stop()
      await chain.stop()
    },
  }
}
