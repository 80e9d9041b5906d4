import { startAnvil } from '@understudy/testkit'
import { startUnderstudy } from './dist/startUnderstudy.js'
const live = await startAnvil()
const n = await startUnderstudy(['--fork-url', live.url, '--no-follow-head'])
const rpc = async (m, ...params) => (await (await fetch(n.url, { method:'POST', headers:{'content-type':'application/json'}, body: JSON.stringify({jsonrpc:'2.0',id:1,method:m,params})})).json()).result
const cpu = async () => 1000*Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(n.url+'/metrics')).text())[1])
await new Promise(r=>setTimeout(r,Number(process.argv[2]??4000)))
if (process.argv[3]) await rpc('eth_blockNumber')
for (let i=0;i<5;i++){ const a=await cpu(); const c=await cpu(); const t=performance.now(); await rpc('dev_createBranch',{}); const w=performance.now()-t; const b=await cpu(); console.log('wall',w.toFixed(1),'cpu',(b-c-(c-a)).toFixed(1)) }
await n.stop(); await live.stop(); process.exit()
