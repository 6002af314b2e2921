/** How to send the first event: commands that work as shown. */

export interface Step {
  readonly title: string;
  readonly label: string;
  readonly text: string;
}

/** An event for a shell; its job copies one column and hashes another. */
export function curlCommand(server: string, now: Date): string {
  const read = { namespace: "file", name: "/landing/customers" };
  const field = (name: string, subtype: string, masking: boolean, description: string) => ({
    inputFields: [{ ...read, field: name, transformations: [{ type: "DIRECT", subtype, masking, description }] }],
  });
  const event = {
    eventType: "COMPLETE",
    eventTime: now.toISOString(),
    producer: "https://example.com/first-event",
    run: { runId: "3f5b1c9e-0000-4000-8000-000000000001" },
    job: { namespace: "first", name: "customers" },
    inputs: [read],
    outputs: [
      {
        namespace: "file",
        name: "/warehouse/customers",
        facets: {
          schema: {
            fields: [
              { name: "id", type: "bigint" },
              { name: "email", type: "string" },
            ],
          },
          columnLineage: {
            fields: {
              id: field("id", "IDENTITY", false, ""),
              email: field("email", "TRANSFORMATION", true, "sha2(email, 256)"),
            },
          },
        },
      },
    ],
  };
  return `curl -i ${server}/api/v1/lineage -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'`;
}

export function firstSteps(server: string, now: Date): readonly Step[] {
  return [
    { title: "One event, from a shell", label: "A command that sends one event", text: curlCommand(server, now) },
    {
      title: "From a Spark job, with the OpenLineage listener",
      label: "Settings for spark-submit",
      text: [
        "spark-submit \\",
        "  --conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener \\",
        "  --conf spark.openlineage.transport.type=http \\",
        `  --conf spark.openlineage.transport.url=${server} \\`,
        "  job.py",
      ].join("\n"),
    },
    {
      title: "From files of events, or from a synthetic warehouse",
      label: "Commands that fill a store",
      text: ["headwater ingest events/*.jsonl.gz", "headwater simulate --days 7 | headwater ingest -"].join("\n"),
    },
  ];
}
