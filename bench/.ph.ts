import { Caller, prepareData, startFakeChatProcess, startProduct } from './product.ts';
const rows=10000, c=process.argv[2]??'64';
await using chat = await startFakeChatProcess('--latency','50');
for (let k=0;k<2;k++){
await using server = await startProduct({ CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: c }, await prepareData(rows));
const op=new Caller(server.url); await op.signIn('client@demo.test');
const cpu0=await op.cpuSeconds(); const t0=Date.now();
const file=await op.upload(new Blob(['Row\n'+Array.from({length:rows},(_,i)=>'row '+i).join('\n')]));
const t1=Date.now(); const cpu1=await op.cpuSeconds(); const t1b=Date.now();
const {batch}=await op.call('askChatGpt',{questionWithVariable:'Say {{Row}}',query:{file,start:true}});
const t2=Date.now();
const e=await op.whenEnded(batch!.id,500);
const cpu2=await op.cpuSeconds();
const log=(await (await fetch(new URL('/log',chat.url))).json()).slice(-rows) as any[];
const first=Math.min(...log.map(x=>x.at)), last=Math.max(...log.map(x=>x.endedAt));
const end=Date.parse(e.ended_at!);
console.log('upload',t1-t0,'start',t2-t1b,'run',end-t2,'calls span',(last-first).toFixed(0),'type',typeof log[0].at, 'cpu/row',((cpu2-cpu1)/rows*1000).toFixed(3),'upload cpu',(cpu1-cpu0).toFixed(2));
}
