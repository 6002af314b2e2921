// Made by `npm run types` from the server's OpenAPI document. Do not edit.

export interface paths {
    "/api/v1/column-lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What feeds columns, and what they feed
         * @description Get what feeds a column, the columns of a dataset, or those that a job writes, up to `depth` edges away.
         *
         *     With `column`, the nodes are datasets: those that contribute to that column, each with what feeds its columns. With
         *     the version of a dataset, only what that version was made of; with that of a job, what its last run in it wrote.
         */
        get: operations["get_column_lineage_api_v1_column_lineage_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Events
         * @description List all raw events, latest first.
         */
        get: operations["list_events_api_v1_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Events Of Namespace
         * @description List the events of a namespace's jobs and datasets, latest first.
         */
        get: operations["list_events_of_namespace_api_v1_events__namespace__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Events Of Runs
         * @description List the raw events of runs, latest first; `/events` lists those about jobs and datasets themselves, too.
         */
        get: operations["list_events_of_runs_api_v1_events_lineage_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List All Jobs
         * @description List all jobs, those that events named last first.
         */
        get: operations["list_all_jobs_api_v1_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Run
         * @description Get a run.
         */
        get: operations["get_run_api_v1_jobs_runs__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark Run Abort
         * @description Report that a run was aborted.
         */
        post: operations["mark_run_abort_api_v1_jobs_runs__id__abort_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark Run Complete
         * @description Report that a run has completed.
         */
        post: operations["mark_run_complete_api_v1_jobs_runs__id__complete_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Run Facets
         * @description Get the facets of a run, or those of its job as given in the run's events.
         */
        get: operations["get_run_facets_api_v1_jobs_runs__id__facets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark Run Fail
         * @description Report that a run has failed.
         */
        post: operations["mark_run_fail_api_v1_jobs_runs__id__fail_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/runs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark Run Start
         * @description Report that a run has started.
         */
        post: operations["mark_run_start_api_v1_jobs_runs__id__start_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Datasets and jobs around a node
         * @description Get what is upstream and downstream of a dataset or a job, up to `depth` jobs away.
         *
         *     With the version of a dataset, only what that version was made of: the versions that its run read, and so on. With
         *     the version of a job, what its last run in that version read and wrote, and what that was made of.
         */
        get: operations["get_lineage_api_v1_lineage_get"];
        put?: never;
        /**
         * Send one event
         * @description Store one OpenLineage event. It may be compressed (`Content-Encoding: gzip`).
         */
        post: operations["post_event_api_v1_lineage_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lineage/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many events
         * @description Store many OpenLineage events: a JSON array, or one per line. Invalid ones are listed by index.
         */
        post: operations["post_batch_api_v1_lineage_batch_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Namespaces
         * @description List all namespaces, by name.
         */
        get: operations["list_namespaces_api_v1_namespaces_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Namespace
         * @description Get a namespace.
         */
        get: operations["get_namespace_api_v1_namespaces__namespace__get"];
        /**
         * Put Namespace
         * @description Describe a namespace.
         */
        put: operations["put_namespace_api_v1_namespaces__namespace__put"];
        post?: never;
        /**
         * Delete Namespace
         * @description Delete a namespace with all its datasets and jobs.
         */
        delete: operations["delete_namespace_api_v1_namespaces__namespace__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Datasets
         * @description List the datasets of a namespace, by name.
         */
        get: operations["list_datasets_api_v1_namespaces__namespace__datasets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets/{dataset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Dataset
         * @description Get a dataset.
         */
        get: operations["get_dataset_api_v1_namespaces__namespace__datasets__dataset__get"];
        /**
         * Put Dataset
         * @description Register a dataset. With `runId`, register it as an output of the run.
         */
        put: operations["put_dataset_api_v1_namespaces__namespace__datasets__dataset__put"];
        post?: never;
        /**
         * Delete Dataset
         * @description Delete a dataset. Returns the dataset as it was.
         */
        delete: operations["delete_dataset_api_v1_namespaces__namespace__datasets__dataset__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets/{dataset}/fields/{field}/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag Field
         * @description Tag a field.
         */
        post: operations["tag_field_api_v1_namespaces__namespace__datasets__dataset__fields__field__tags__tag__post"];
        /**
         * Untag Field
         * @description Remove a tag from a field.
         */
        delete: operations["untag_field_api_v1_namespaces__namespace__datasets__dataset__fields__field__tags__tag__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets/{dataset}/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag Dataset
         * @description Tag a dataset.
         */
        post: operations["tag_dataset_api_v1_namespaces__namespace__datasets__dataset__tags__tag__post"];
        /**
         * Untag Dataset
         * @description Remove a tag from a dataset.
         */
        delete: operations["untag_dataset_api_v1_namespaces__namespace__datasets__dataset__tags__tag__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets/{dataset}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Dataset Versions
         * @description List the versions of a dataset, latest first.
         */
        get: operations["list_dataset_versions_api_v1_namespaces__namespace__datasets__dataset__versions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/datasets/{dataset}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Dataset Version
         * @description Get a version of a dataset by its UUID, its name in a version facet, or the run that wrote it.
         */
        get: operations["get_dataset_version_api_v1_namespaces__namespace__datasets__dataset__versions__version__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Jobs
         * @description List the jobs of a namespace, those that events named last first.
         */
        get: operations["list_jobs_api_v1_namespaces__namespace__jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Job
         * @description Get a job.
         */
        get: operations["get_job_api_v1_namespaces__namespace__jobs__job__get"];
        /**
         * Put Job
         * @description Register a job with its inputs and outputs. With `runId`, register them as those of the run.
         */
        put: operations["put_job_api_v1_namespaces__namespace__jobs__job__put"];
        post?: never;
        /**
         * Delete Job
         * @description Delete a job. Returns the job as it was.
         */
        delete: operations["delete_job_api_v1_namespaces__namespace__jobs__job__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs/{job}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Runs
         * @description List the runs of a job, latest first.
         */
        get: operations["list_runs_api_v1_namespaces__namespace__jobs__job__runs_get"];
        put?: never;
        /**
         * Post Run
         * @description Create a run of a job.
         */
        post: operations["post_run_api_v1_namespaces__namespace__jobs__job__runs_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs/{job}/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag Job
         * @description Tag a job.
         */
        post: operations["tag_job_api_v1_namespaces__namespace__jobs__job__tags__tag__post"];
        /**
         * Untag Job
         * @description Remove a tag from a job.
         */
        delete: operations["untag_job_api_v1_namespaces__namespace__jobs__job__tags__tag__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs/{job}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Job Versions
         * @description List the versions of a job: what its latest runs read and wrote, latest first.
         */
        get: operations["list_job_versions_api_v1_namespaces__namespace__jobs__job__versions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/namespaces/{namespace}/jobs/{job}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Job Version
         * @description Get a version of a job.
         */
        get: operations["get_job_version_api_v1_namespaces__namespace__jobs__job__versions__version__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask Many
         * @description Answer many questions from one state of the store. Each gets an answer or an error, in order.
         */
        post: operations["post_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/dataset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One dataset: its columns with their types, its description, owners, tags and other names. */
        get: operations["get_dataset"];
        put?: never;
        /** One dataset: its columns with their types, its description, owners, tags and other names. */
        post: operations["post_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All datasets, a page at a time, in an order of their own that stays the same. */
        get: operations["get_datasets"];
        put?: never;
        /** All datasets, a page at a time, in an order of their own that stays the same. */
        post: operations["post_datasets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed in the lineage of a column, or of all columns, between two moments or two versions. */
        get: operations["get_diff"];
        put?: never;
        /** What changed in the lineage of a column, or of all columns, between two moments or two versions. */
        post: operations["post_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/downstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a column comes from or what it reaches; without one, the same of a dataset or a job. */
        get: operations["get_downstream"];
        put?: never;
        /** Where a column comes from or what it reaches; without one, the same of a dataset or a job. */
        post: operations["post_downstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The raw events as they came, a page at a time, by time; those that retention dropped are left out. */
        get: operations["get_events"];
        put?: never;
        /** The raw events as they came, a page at a time, by time; those that retention dropped are left out. */
        post: operations["post_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Each change of a column's inputs or of its expression, with the run that made it; or of all columns. */
        get: operations["get_history"];
        put?: never;
        /** Each change of a column's inputs or of its expression, with the run that made it; or of all columns. */
        post: operations["post_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a change or a drop of a column, or of all columns, reaches. */
        get: operations["get_impact"];
        put?: never;
        /** What a change or a drop of a column, or of all columns, reaches. */
        post: operations["post_impact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One job: its description, owners and tags. */
        get: operations["get_job"];
        put?: never;
        /** One job: its description, owners and tags. */
        post: operations["post_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All jobs, a page at a time, in an order of their own that stays the same. */
        get: operations["get_jobs"];
        put?: never;
        /** All jobs, a page at a time, in an order of their own that stays the same. */
        post: operations["post_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/outlines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Many datasets in short: how many columns each has, when it was written last, its owners and tags. */
        get: operations["get_outlines"];
        put?: never;
        /** Many datasets in short: how many columns each has, when it was written last, its owners and tags. */
        post: operations["post_outlines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What ran last, what failed, which datasets are used most, and how much has column lineage. */
        get: operations["get_overview"];
        put?: never;
        /** What ran last, what failed, which datasets are used most, and how much has column lineage. */
        post: operations["post_overview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/pii": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where fields with personal data went: in the clear, and masked at which step. */
        get: operations["get_pii"];
        put?: never;
        /** Where fields with personal data went: in the clear, and masked at which step. */
        post: operations["post_pii"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a version comes from: its run, the versions that it read, and so on. */
        get: operations["get_provenance"];
        put?: never;
        /** Where a version comes from: its run, the versions that it read, and so on. */
        post: operations["post_provenance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/roots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The source columns at the start of all paths to a column, or to all columns: without what is in between. */
        get: operations["get_roots"];
        put?: never;
        /** The source columns at the start of all paths to a column, or to all columns: without what is in between. */
        post: operations["post_roots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run: when and how it ran, what it read, and the versions that it wrote. */
        get: operations["get_run"];
        put?: never;
        /** One run: when and how it ran, what it read, and the versions that it wrote. */
        post: operations["post_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The runs of a job, a page at a time, the newest first. */
        get: operations["get_runs"];
        put?: never;
        /** The runs of a job, a page at a time, the newest first. */
        post: operations["post_runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Datasets, columns and jobs by words of names, tags and descriptions, or by a field's name, its path or a tag. */
        get: operations["get_search"];
        put?: never;
        /** Datasets, columns and jobs by words of names, tags and descriptions, or by a field's name, its path or a tag. */
        post: operations["post_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much there is. */
        get: operations["get_stats"];
        put?: never;
        /** How much there is. */
        post: operations["post_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/upstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a column comes from or what it reaches; without one, the same of a dataset or a job. */
        get: operations["get_upstream"];
        put?: never;
        /** Where a column comes from or what it reaches; without one, the same of a dataset or a job. */
        post: operations["post_upstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of a dataset, a page at a time, the newest first. */
        get: operations["get_versions"];
        put?: never;
        /** The versions of a dataset, a page at a time, the newest first. */
        post: operations["post_versions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runlineage/upstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Upstream Runs
         * @description Get a run, the runs that wrote what it read, and so on.
         */
        get: operations["get_upstream_runs_api_v1_runlineage_upstream_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Search
         * @description Find datasets and jobs by a part of their name, last updated before a day, or since its start.
         */
        get: operations["get_search_api_v1_search_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sources
         * @description List all sources, by name.
         */
        get: operations["list_sources_api_v1_sources_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Source
         * @description Get a source.
         */
        get: operations["get_source_api_v1_sources__source__get"];
        /**
         * Put Source
         * @description Describe a source.
         */
        put: operations["put_source_api_v1_sources__source__put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count Datasets
         * @description Count the datasets over time.
         */
        get: operations["count_datasets_api_v1_stats_datasets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count Jobs
         * @description Count the jobs over time.
         */
        get: operations["count_jobs_api_v1_stats_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/lineage-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count Events
         * @description Count the events of runs over time.
         */
        get: operations["count_events_api_v1_stats_lineage_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count Sources
         * @description Count the sources over time.
         */
        get: operations["count_sources_api_v1_stats_sources_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tags
         * @description List all tags that were described or set by hand, by name.
         */
        get: operations["list_tags_api_v1_tags_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Describe Tag
         * @description Describe a tag.
         */
        put: operations["describe_tag_api_v1_tags__tag__put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aspects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Aspects
         * @description Store change proposals (MCP), one or a batch. 200 means that they are stored.
         */
        post: operations["post_aspects_aspects_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aspects/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Aspect
         * @description Get one aspect of an entity, under the name of its class.
         */
        get: operations["get_aspect_aspects__urn__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Config
         * @description The configuration that DataHub's clients request first, to choose how to send.
         */
        get: operations["get_config_config_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Entities
         * @description Store snapshots (MCE), one or a batch, or delete all aspects of an entity. 200 means that it is stored.
         */
        post: operations["post_entities_entities_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/entitiesV2/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Entity
         * @description Get an entity with its aspects. An unknown entity has none, as in DataHub.
         */
        get: operations["get_entity_entitiesV2__urn__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live
         * @description Check that the process answers. Restart it if it does not.
         */
        get: operations["live_livez_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scrape
         * @description Get metrics for Prometheus.
         */
        get: operations["scrape_metrics_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/openlineage/api/v1/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event, as to DataHub
         * @description Store one OpenLineage event, where DataHub's clients send it.
         */
        post: operations["post_event_as_datahub_openapi_openlineage_api_v1_lineage_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/relationships/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Relationships
         * @description List the relations of an entity, page by page.
         */
        get: operations["get_relationships_openapi_relationships_v1_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/v3/entity/{entity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Entities
         * @description Set aspects of entities of one kind. 200 means that they are stored.
         */
        post: operations["post_entities_openapi_v3_entity__entity__post"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Patch Entities
         * @description Patch aspects of entities of one kind: `{"patch": [...], "arrayPrimaryKeys": {...}}`, a JSON patch.
         */
        patch: operations["patch_entities_openapi_v3_entity__entity__patch"];
        trace?: never;
    };
    "/openapi/v3/entity/{entity}/{urn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Entity
         * @description Get an entity with all or some of its aspects.
         */
        get: operations["get_entity_openapi_v3_entity__entity___urn__get"];
        put?: never;
        post?: never;
        /**
         * Delete Entity
         * @description Delete an entity, or some of its aspects, from now on. Facts from OpenLineage events stay.
         */
        delete: operations["delete_entity_openapi_v3_entity__entity___urn__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/v3/entity/{entity}/{urn}/{aspect}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Aspect
         * @description Get one aspect of an entity.
         */
        get: operations["get_aspect_openapi_v3_entity__entity___urn___aspect__get"];
        put?: never;
        /**
         * Post Aspect
         * @description Set one aspect of an entity.
         */
        post: operations["post_aspect_openapi_v3_entity__entity___urn___aspect__post"];
        /**
         * Delete Aspect
         * @description Delete one aspect of an entity, from now on.
         */
        delete: operations["delete_aspect_openapi_v3_entity__entity___urn___aspect__delete"];
        options?: never;
        head?: never;
        /**
         * Patch Aspect
         * @description Patch one aspect of an entity.
         */
        patch: operations["patch_aspect_openapi_v3_entity__entity___urn___aspect__patch"];
        trace?: never;
    };
    "/openapi/v3/entity/{entity}/batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get Entities
         * @description Get entities of one kind, each given as `{"urn": …, "<aspect>": {}}`. Unknown entities are left out.
         */
        post: operations["get_entities_openapi_v3_entity__entity__batchGet_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ready
         * @description Check that events can be stored: the store answers, and its disk can be written. If not, send none here.
         */
        get: operations["ready_readyz_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Restli
         * @description List the relations of an entity, page by page, in Rest.li's format.
         */
        get: operations["get_restli_relationships_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * BatchBody
         * @description Questions, each an object with the name of its `question` and its parts.
         */
        BatchBody: {
            /**
             * Questions
             * @example [
             *       {
             *         "column": "total",
             *         "dataset": "warehouse/orders",
             *         "question": "upstream"
             *       }
             *     ]
             */
            questions: {
                [key: string]: unknown;
            }[];
        };
        /**
         * BatchReply
         * @description The answers, in the order of the questions.
         */
        BatchReply: {
            /** Results */
            results: components["schemas"]["BatchResult"][];
            /** Wire */
            wire: number;
        };
        /**
         * BatchResult
         * @description One question's answer, as it would be alone, or its error.
         */
        BatchResult: {
            /** Answer */
            answer?: {
                [key: string]: unknown;
            } | null;
            error?: components["schemas"]["ErrorBody"] | null;
            /** Kind */
            kind?: string | null;
        };
        /**
         * ColumnInput
         * @description A column that feeds another.
         */
        ColumnInput: {
            /** Dataset */
            dataset: string;
            /** Field */
            field: string;
            /** Namespace */
            namespace: string;
            /** Transformationdescription */
            transformationDescription: string | null;
            /** Transformations */
            transformations: components["schemas"]["TransformationModel"][];
            /** Transformationtype */
            transformationType: string | null;
        };
        /**
         * ColumnLineageOfDataset
         * @description What feeds a column.
         */
        ColumnLineageOfDataset: {
            /** Inputfields */
            inputFields: components["schemas"]["ColumnInput"][];
            /** Name */
            name: string;
            /** Transformationdescription */
            transformationDescription: string | null;
            /** Transformationtype */
            transformationType: string | null;
        };
        /**
         * Count
         * @description The number at the end of an interval.
         */
        Count: {
            /** Count */
            count: number;
            /** Endinterval */
            endInterval: string;
            /** Startinterval */
            startInterval: string;
        };
        /**
         * DatasetBody
         * @description A dataset to register.
         */
        DatasetBody: {
            /** Description */
            description?: string | null;
            /** Fields */
            fields?: components["schemas"]["FieldBody"][];
            /** Physicalname */
            physicalName: string;
            /** Runid */
            runId?: string | null;
            /** Schemalocation */
            schemaLocation?: string | null;
            /** Sourcename */
            sourceName: string;
            /** Tags */
            tags?: string[];
            type: components["schemas"]["DatasetType"];
        };
        /**
         * DatasetModel
         * @description A dataset.
         */
        DatasetModel: {
            /** Columnlineage */
            columnLineage: components["schemas"]["ColumnLineageOfDataset"][] | null;
            /** Createdat */
            createdAt: string;
            /** Currentversion */
            currentVersion: string | null;
            /** Deleted */
            deleted: boolean;
            /** Description */
            description: string | null;
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
            /** Fields */
            fields: components["schemas"]["FieldModel"][];
            id: components["schemas"]["Name"];
            /** Lastlifecyclestate */
            lastLifecycleState: string;
            /** Lastmodifiedat */
            lastModifiedAt: string | null;
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Physicalname */
            physicalName: string;
            /** Sourcename */
            sourceName: string;
            /** Tags */
            tags: string[];
            /** Type */
            type: string;
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * Datasets
         * @description A page of datasets.
         */
        Datasets: {
            /** Datasets */
            datasets: components["schemas"]["DatasetModel"][];
            /** Totalcount */
            totalCount: number;
        };
        /**
         * DatasetType
         * @description The type of a dataset.
         * @enum {string}
         */
        DatasetType: "DB_TABLE" | "STREAM";
        /**
         * DatasetVersionModel
         * @description A version of a dataset.
         */
        DatasetVersionModel: {
            /** Createdat */
            createdAt: string;
            createdByRun: components["schemas"]["RunModel"] | null;
            /** Currentschemaversion */
            currentSchemaVersion: string | null;
            /** Description */
            description: string | null;
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
            /** Fields */
            fields: components["schemas"]["FieldModel"][];
            id: components["schemas"]["Name"];
            /** Lifecyclestate */
            lifecycleState: string;
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Physicalname */
            physicalName: string;
            /** Sourcename */
            sourceName: string;
            /** Tags */
            tags: string[];
            /** Type */
            type: string;
            /** Version */
            version: string;
        };
        /**
         * DatasetVersionOfRun
         * @description A version that a run read or wrote.
         */
        DatasetVersionOfRun: {
            datasetVersionId: components["schemas"]["VersionId"];
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
        };
        /**
         * DatasetVersions
         * @description A page of a dataset's versions.
         */
        DatasetVersions: {
            /** Totalcount */
            totalCount: number;
            /** Versions */
            versions: components["schemas"]["DatasetVersionModel"][];
        };
        /**
         * EdgeModel
         * @description An edge by the ids of its ends.
         */
        EdgeModel: {
            /** Destination */
            destination: string;
            /** Origin */
            origin: string;
        };
        /**
         * ErrorBody
         * @description Why there is no answer; `kind` is set if the question is the cause.
         */
        ErrorBody: {
            /** Candidates */
            candidates?: string[];
            /** Code */
            code: number;
            /** Kind */
            kind?: string | null;
            /** Message */
            message: string;
        };
        /**
         * EventCounts
         * @description The number of events of each type in an interval.
         */
        EventCounts: {
            /** Abort */
            abort: number;
            /** Complete */
            complete: number;
            /** Endinterval */
            endInterval: string;
            /** Fail */
            fail: number;
            /** Start */
            start: number;
            /** Startinterval */
            startInterval: string;
        };
        /**
         * Events
         * @description A page of raw events.
         */
        Events: {
            /** Events */
            events: {
                [key: string]: unknown;
            }[];
            /** Totalcount */
            totalCount: number;
        };
        /**
         * FacetType
         * @description Whose facets to return.
         * @enum {string}
         */
        FacetType: "run" | "job";
        /**
         * FieldBody
         * @description A field of a dataset.
         */
        FieldBody: {
            /** Description */
            description?: string | null;
            /** Name */
            name: string;
            /** Tags */
            tags?: string[];
            /** Type */
            type?: string | null;
        };
        /**
         * FieldModel
         * @description A field of a dataset.
         */
        FieldModel: {
            /** Description */
            description: string | null;
            /** Name */
            name: string;
            /** Tags */
            tags: string[];
            /** Type */
            type: string | null;
        };
        /**
         * Filter
         * @description What to look for.
         * @enum {string}
         */
        Filter: "DATASET" | "JOB";
        /**
         * Format
         * @description The formats that an answer can be written in.
         * @enum {string}
         */
        Format: "json" | "csv" | "graphml" | "mermaid" | "dot";
        /**
         * HeadwaterAnswer
         * @description What a question about a column found; nodes by distance and name, the column asked about first.
         *
         *     `partial`: a limit was reached, and these are the first nodes in order of distance and name. `provisional`: the
         *     version asked for is of a run that has not completed, or failed. `unknown`: what may be missing, or is not certain.
         *     `dropped` is set where the column is no longer there.
         */
        HeadwaterAnswer: {
            /**
             * Direction
             * @enum {string}
             */
            direction: "upstream" | "downstream";
            dropped: components["schemas"]["HeadwaterDropped"] | null;
            /** Edges */
            edges: components["schemas"]["HeadwaterEdge"][];
            moment: components["schemas"]["HeadwaterMoment"];
            /** Nodes */
            nodes: components["schemas"]["HeadwaterNode"][];
            /** Partial */
            partial: boolean;
            /** Provisional */
            provisional: boolean;
            root: components["schemas"]["HeadwaterFieldName"];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterUnknown"][];
        };
        /**
         * HeadwaterAnswerReply
         * @description A Answer, with the version of its format.
         */
        HeadwaterAnswerReply: {
            answer: components["schemas"]["HeadwaterAnswer"];
            /**
             * Kind
             * @constant
             */
            kind: "Answer";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterArrival
         * @description A column with a tag, outside the dataset asked about, and the columns of that dataset that its values reach.
         */
        HeadwaterArrival: {
            field: components["schemas"]["HeadwaterFieldName"];
            /** Reached */
            reached: components["schemas"]["HeadwaterExposed"][];
            /** Tags */
            tags: string[];
        };
        /**
         * HeadwaterChange
         * @description One change of a column: of what one job writes into it, or of the column itself. `by` is what made it.
         *
         *     Where the column itself is added, renamed or dropped, `before` and `after` are its names.
         */
        HeadwaterChange: {
            /** Added */
            added: components["schemas"]["HeadwaterEdge"][];
            /** After */
            after: string | null;
            /** Before */
            before: string | null;
            by: components["schemas"]["HeadwaterWrite"] | null;
            /** Changed */
            changed: components["schemas"]["HeadwaterEdgeChange"][];
            /**
             * Happened
             * @enum {string}
             */
            happened: "appeared" | "changed" | "ended" | "added" | "renamed" | "dropped";
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Removed */
            removed: components["schemas"]["HeadwaterEdge"][];
            /** Us */
            us: number;
        };
        /**
         * HeadwaterColumn
         * @description A column; `listed` says whether it is in the last schema: others come from lineage or earlier schemas.
         */
        HeadwaterColumn: {
            /** Description */
            description: string;
            /** Listed */
            listed: boolean;
            /** Path */
            path: string;
            /** Type */
            type: string;
        };
        /**
         * HeadwaterCounts
         * @description How much is reached: columns in all, and how many of them directly, only indirectly, only masked.
         *
         *     `unknown` are the datasets that may be reached beside that, since jobs say nothing of columns.
         */
        HeadwaterCounts: {
            /** Columns */
            columns: number;
            /** Datasets */
            datasets: number;
            /** Direct */
            direct: number;
            /** Indirect */
            indirect: number;
            /** Jobs */
            jobs: number;
            /** Masked */
            masked: number;
            /** Unknown */
            unknown: number;
        };
        /**
         * HeadwaterCoverage
         * @description How many of the datasets in force have column lineage; and how many of their columns.
         */
        HeadwaterCoverage: {
            /** Columns */
            columns: number;
            /** Columns Traced */
            columns_traced: number;
            /** Datasets */
            datasets: number;
            /** Datasets Traced */
            datasets_traced: number;
        };
        /**
         * HeadwaterDatasetDetails
         * @description A dataset as it is now; columns in the order of its last schema, `aliases` are its other names.
         */
        HeadwaterDatasetDetails: {
            /** Aliases */
            aliases: components["schemas"]["HeadwaterTableName"][];
            /** Columns */
            columns: components["schemas"]["HeadwaterColumn"][];
            /** Description */
            description: string;
            name: components["schemas"]["HeadwaterTableName"];
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
            /** Tags */
            tags: components["schemas"]["HeadwaterTag"][];
        };
        /**
         * HeadwaterDatasetDetailsReply
         * @description A DatasetDetails, with the version of its format.
         */
        HeadwaterDatasetDetailsReply: {
            answer: components["schemas"]["HeadwaterDatasetDetails"];
            /**
             * Kind
             * @constant
             */
            kind: "DatasetDetails";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterDatasetQuestion
         * @description One dataset: its columns with their types, its description, owners, tags and other names.
         */
        HeadwaterDatasetQuestion: {
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
        };
        /**
         * HeadwaterDatasetsQuestion
         * @description All datasets, a page at a time, in an order of their own that stays the same.
         */
        HeadwaterDatasetsQuestion: {
            /**
             * Cursor
             * @description The cursor of the previous page, to get the next one.
             */
            cursor?: string | null;
            /**
             * Limit
             * @description The number of results per page.
             * @default 1000
             */
            limit?: number;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
        };
        /**
         * HeadwaterDiff
         * @description What is different after than before.
         *
         *     `columns_changed` are the columns, or datasets' rows, that changed: the one asked about first, then what it comes
         *     from, or what it reaches, by distance. Those that only a new edge leads to, or a lost one led to, are left out.
         *     `replaced` pairs names that are gone with those that took their place; both are in the other lists, too.
         *     `unknown` has what either of the two answers does not know: it may have changed as well.
         *     `partial`: one of the answers was cut off by a limit, or there were too many jobs to compare the literals of all.
         */
        HeadwaterDiff: {
            after: components["schemas"]["HeadwaterMoment"];
            before: components["schemas"]["HeadwaterMoment"];
            /** Columns Added */
            columns_added: components["schemas"]["HeadwaterFieldName"][];
            /** Columns Changed */
            columns_changed: components["schemas"]["HeadwaterFieldName"][];
            /** Columns Removed */
            columns_removed: components["schemas"]["HeadwaterFieldName"][];
            /**
             * Direction
             * @enum {string}
             */
            direction: "upstream" | "downstream";
            /** Edges Added */
            edges_added: components["schemas"]["HeadwaterEdge"][];
            /** Edges Changed */
            edges_changed: components["schemas"]["HeadwaterEdgeChange"][];
            /** Edges Removed */
            edges_removed: components["schemas"]["HeadwaterEdge"][];
            /** Literals */
            literals: components["schemas"]["HeadwaterLiteralChange"][];
            /** Partial */
            partial: boolean;
            /** Replaced */
            replaced: components["schemas"]["HeadwaterReplacement"][];
            root: components["schemas"]["HeadwaterFieldName"];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterUnknown"][];
        };
        /**
         * HeadwaterDiffQuestion
         * @description What changed in the lineage of a column, or of all columns, between two moments or two versions.
         */
        HeadwaterDiffQuestion: {
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Direction
             * @description upstream or downstream.
             * @default upstream
             * @enum {string}
             */
            direction?: "upstream" | "downstream";
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The earlier time. A date means the end of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The later time; now if omitted. A date means the end of that day.
             */
            until?: string | number | null;
            /**
             * Versions
             * @description Two versions to compare instead of two times, the earlier first. Give the parameter twice.
             */
            versions?: string[] | null;
        };
        /**
         * HeadwaterDiffReply
         * @description A Diff, with the version of its format.
         */
        HeadwaterDiffReply: {
            answer: components["schemas"]["HeadwaterDiff"];
            /**
             * Kind
             * @constant
             */
            kind: "Diff";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterDownstreamQuestion
         * @description Where a column comes from or what it reaches; without one, the same of a dataset or a job.
         */
        HeadwaterDownstreamQuestion: {
            /**
             * As Of
             * @description The time to look at; now if omitted. A date means the end of that day.
             */
            as_of?: string | number | null;
            /**
             * Collapse
             * @description Show applications instead of the jobs that belong to them.
             * @default false
             */
            collapse?: boolean;
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Contents
             * @description Include every write since the dataset was last fully overwritten, not only the latest.
             * @default false
             */
            contents?: boolean;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it. Cannot be combined with job.
             */
            dataset?: string | null;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Job
             * @description A job to start from instead of a dataset.
             */
            job?: string | null;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
            /**
             * Version
             * @description The version to look at: its UUID, its name in a version facet, or the UUID of the run that wrote it.
             */
            version?: string | null;
        };
        /**
         * HeadwaterDropped
         * @description When the column that was asked about was dropped, and by whom as far as is known.
         *
         *     The answer then shows what the column was made from just before; or what was made from it, then and since.
         */
        HeadwaterDropped: {
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Run */
            run: string | null;
            /** Us */
            us: number;
        };
        /**
         * HeadwaterEdge
         * @description From the column that is read to the one that is written, with the job that does it and its last run.
         *
         *     `job` and `run` are None for what an event about the dataset itself declares. `carried`: the last run said nothing
         *     of columns, and what the job said before still holds. `assumed`: which version was read is known by time only.
         */
        HeadwaterEdge: {
            /** Assumed */
            assumed: boolean;
            /** Carried */
            carried: boolean;
            destination: components["schemas"]["HeadwaterFieldName"];
            job: components["schemas"]["HeadwaterTableName"] | null;
            origin: components["schemas"]["HeadwaterFieldName"];
            /** Run */
            run: string | null;
            /** Transformations */
            transformations: components["schemas"]["HeadwaterTransformation"][];
        };
        /**
         * HeadwaterEdgeChange
         * @description An edge between the same columns, as it was and as it is.
         */
        HeadwaterEdgeChange: {
            after: components["schemas"]["HeadwaterEdge"];
            before: components["schemas"]["HeadwaterEdge"];
            /**
             * Part
             * @enum {string}
             */
            part: "structure" | "text";
        };
        /**
         * HeadwaterEventsPage
         * @description Raw events by time; `cursor` leads to the next page and is None on the last.
         */
        HeadwaterEventsPage: {
            /** Cursor */
            cursor: string | null;
            /** Events */
            events: {
                [key: string]: unknown;
            }[];
        };
        /**
         * HeadwaterEventsPageReply
         * @description A EventsPage, with the version of its format.
         */
        HeadwaterEventsPageReply: {
            answer: components["schemas"]["HeadwaterEventsPage"];
            /**
             * Kind
             * @constant
             */
            kind: "EventsPage";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterEventsQuestion
         * @description The raw events as they came, a page at a time, by time; those that retention dropped are left out.
         */
        HeadwaterEventsQuestion: {
            /**
             * Cursor
             * @description The cursor of the previous page, to get the next one.
             */
            cursor?: string | null;
            /**
             * Limit
             * @description The number of results per page.
             * @default 1000
             */
            limit?: number;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
        };
        /**
         * HeadwaterExposed
         * @description A field that is reached: a way for each exposure, the most exposed first; of mere conditions only if no other.
         */
        HeadwaterExposed: {
            field: components["schemas"]["HeadwaterFieldName"];
            /** Ways */
            ways: components["schemas"]["HeadwaterWay"][];
        };
        /**
         * HeadwaterFieldName
         * @description A column by its full name; `field` is None for the rows of the dataset, which all its columns read.
         *
         *     `version` is set in the provenance of a version only: the same column of two versions is then two nodes.
         */
        HeadwaterFieldName: {
            /** Field */
            field: string | null;
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Version */
            version: string | null;
        };
        /**
         * HeadwaterHistory
         * @description All changes of a column, or of all columns of a dataset where `column` has no field; the oldest first.
         *
         *     `unknown` has what may have been written there at any time, and what is shown and not certain.
         */
        HeadwaterHistory: {
            /** Changes */
            changes: components["schemas"]["HeadwaterChange"][];
            column: components["schemas"]["HeadwaterFieldName"];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterUnknown"][];
        };
        /**
         * HeadwaterHistoryQuestion
         * @description Each change of a column's inputs or of its expression, with the run that made it; or of all columns.
         */
        HeadwaterHistoryQuestion: {
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
        };
        /**
         * HeadwaterHistoryReply
         * @description A History, with the version of its format.
         */
        HeadwaterHistoryReply: {
            answer: components["schemas"]["HeadwaterHistory"];
            /**
             * Kind
             * @constant
             */
            kind: "History";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterHit
         * @description Something that was found; `matches` says why, `score` how well, up to 1.
         */
        HeadwaterHit: {
            /** Field */
            field: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "DATASET" | "FIELD" | "JOB";
            /** Matches */
            matches: components["schemas"]["HeadwaterMatch"][];
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Score */
            score: number;
            /** Type */
            type: string;
        };
        /**
         * HeadwaterImpact
         * @description What a change of a column reaches; of all columns of a dataset where `root` has no field.
         *
         *     `unknown` has what may be reached too, as jobs read what is reached and say nothing of columns; a dataset may be
         *     there, and have columns that another job is known to reach. It also has what is reached and not certain.
         *     `dropped` is set where the column is no longer there.
         */
        HeadwaterImpact: {
            answer: components["schemas"]["HeadwaterAnswer"];
            counts: components["schemas"]["HeadwaterCounts"];
            /** Datasets */
            datasets: components["schemas"]["HeadwaterReachedDataset"][];
            dropped: components["schemas"]["HeadwaterDropped"] | null;
            /** Jobs */
            jobs: components["schemas"]["HeadwaterReachedJob"][];
            moment: components["schemas"]["HeadwaterMoment"];
            /** Partial */
            partial: boolean;
            root: components["schemas"]["HeadwaterFieldName"];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterUnknown"][];
        };
        /**
         * HeadwaterImpactQuestion
         * @description What a change or a drop of a column, or of all columns, reaches.
         */
        HeadwaterImpactQuestion: {
            /**
             * As Of
             * @description The time to look at; now if omitted. A date means the end of that day.
             */
            as_of?: string | number | null;
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
        };
        /**
         * HeadwaterImpactReply
         * @description A Impact, with the version of its format.
         */
        HeadwaterImpactReply: {
            answer: components["schemas"]["HeadwaterImpact"];
            /**
             * Kind
             * @constant
             */
            kind: "Impact";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterJobDetails
         * @description A job as it is now.
         */
        HeadwaterJobDetails: {
            /** Description */
            description: string;
            name: components["schemas"]["HeadwaterTableName"];
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
            /** Tags */
            tags: components["schemas"]["HeadwaterTag"][];
        };
        /**
         * HeadwaterJobDetailsReply
         * @description A JobDetails, with the version of its format.
         */
        HeadwaterJobDetailsReply: {
            answer: components["schemas"]["HeadwaterJobDetails"];
            /**
             * Kind
             * @constant
             */
            kind: "JobDetails";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterJobQuestion
         * @description One job: its description, owners and tags.
         */
        HeadwaterJobQuestion: {
            /**
             * Job
             * @description Job: namespace/name, or a unique ending of it.
             */
            job: string;
        };
        /**
         * HeadwaterJobsQuestion
         * @description All jobs, a page at a time, in an order of their own that stays the same.
         */
        HeadwaterJobsQuestion: {
            /**
             * Cursor
             * @description The cursor of the previous page, to get the next one.
             */
            cursor?: string | null;
            /**
             * Limit
             * @description The number of results per page.
             * @default 1000
             */
            limit?: number;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
        };
        /**
         * HeadwaterLeg
         * @description From one field to another, or to the rows of a dataset, which all its columns are in; `job` does it.
         */
        HeadwaterLeg: {
            destination: components["schemas"]["HeadwaterFieldName"];
            how: components["schemas"]["HeadwaterTransformation"];
            job: components["schemas"]["HeadwaterTableName"] | null;
            origin: components["schemas"]["HeadwaterFieldName"];
        };
        /**
         * HeadwaterLiteralChange
         * @description An edge that is the same but for literals in its text: before, and after.
         */
        HeadwaterLiteralChange: {
            /** After */
            after: string[];
            /** Before */
            before: string[];
            edge: components["schemas"]["HeadwaterEdge"];
        };
        /**
         * HeadwaterMatch
         * @description A word of the question, the word that it matches, where that stands, how they agree, and what it is worth.
         */
        HeadwaterMatch: {
            /** Asked */
            asked: string;
            /**
             * How
             * @enum {string}
             */
            how: "EXACT" | "PREFIX" | "NEAR";
            /**
             * What
             * @enum {string}
             */
            what: "NAME" | "TAG" | "DESCRIPTION";
            /** Word */
            word: string;
            /** Worth */
            worth: number;
        };
        /**
         * HeadwaterMoment
         * @description When a question looks at the store: the last moment there is, one moment, a window, or a version.
         *
         *     `since` and `until` are equal for one moment, in microseconds UTC; both None is now. `version` is the UUID of the
         *     version whose provenance is asked for; the times are then that version's. `ahead`: it lies after the day of the
         *     answer, which is what is known now. `next_us`: of a question about now, when the first event about what was asked
         *     happens that lies ahead of the clock; it does not count yet.
         */
        HeadwaterMoment: {
            /** Ahead */
            ahead: boolean;
            /** Next Us */
            next_us: number | null;
            /** Since */
            since: number | null;
            /** Until */
            until: number | null;
            /** Version */
            version: string | null;
        };
        /**
         * HeadwaterNamesPage
         * @description Names of datasets or jobs; `cursor` leads to the next page and is None on the last.
         */
        HeadwaterNamesPage: {
            /** Cursor */
            cursor: string | null;
            /** Names */
            names: components["schemas"]["HeadwaterTableName"][];
        };
        /**
         * HeadwaterNamesPageReply
         * @description A NamesPage, with the version of its format.
         */
        HeadwaterNamesPageReply: {
            answer: components["schemas"]["HeadwaterNamesPage"];
            /**
             * Kind
             * @constant
             */
            kind: "NamesPage";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterNode
         * @description A column of the answer, with what holds over all paths to it.
         *
         *     `distance` is the fewest hops, `kind` the most direct class, `masked` is true only if every path is masked.
         */
        HeadwaterNode: {
            /** Distance */
            distance: number;
            field: components["schemas"]["HeadwaterFieldName"];
            /**
             * Kind
             * @enum {string}
             */
            kind: "IDENTITY" | "TRANSFORMATION" | "AGGREGATION" | "INDIRECT";
            /** Masked */
            masked: boolean;
            /** Type */
            type: string;
        };
        /**
         * HeadwaterOutline
         * @description A dataset in short: `columns` counts those of its last schema, `written_us` is when it was written last.
         *
         *     `upstream` and `downstream` say whether there may be lineage of its columns on that side now.
         */
        HeadwaterOutline: {
            /** Columns */
            columns: number;
            /** Downstream */
            downstream: boolean;
            name: components["schemas"]["HeadwaterTableName"];
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
            /** Tags */
            tags: components["schemas"]["HeadwaterTag"][];
            /** Upstream */
            upstream: boolean;
            /** Written Us */
            written_us: number | null;
        };
        /**
         * HeadwaterOutlines
         * @description Datasets in short, by name; unknown ones are left out.
         */
        HeadwaterOutlines: {
            /** Outlines */
            outlines: components["schemas"]["HeadwaterOutline"][];
        };
        /**
         * HeadwaterOutlinesQuestion
         * @description Many datasets in short: how many columns each has, when it was written last, its owners and tags.
         */
        HeadwaterOutlinesQuestion: {
            /**
             * Datasets
             * @description Full dataset names: namespace/name. Can be repeated.
             */
            datasets: string[];
        };
        /**
         * HeadwaterOutlinesReply
         * @description A Outlines, with the version of its format.
         */
        HeadwaterOutlinesReply: {
            answer: components["schemas"]["HeadwaterOutlines"];
            /**
             * Kind
             * @constant
             */
            kind: "Outlines";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterOverview
         * @description What happened lately, the newest first; `since_us` is where lately begins.
         */
        HeadwaterOverview: {
            /** Busiest */
            busiest: components["schemas"]["HeadwaterUsed"][];
            coverage: components["schemas"]["HeadwaterCoverage"];
            /** Failures */
            failures: components["schemas"]["HeadwaterRun"][];
            /** Runs */
            runs: components["schemas"]["HeadwaterRun"][];
            /** Since Us */
            since_us: number | null;
        };
        /**
         * HeadwaterOverviewQuestion
         * @description What ran last, what failed, which datasets are used most, and how much has column lineage.
         */
        HeadwaterOverviewQuestion: {
            /**
             * Limit
             * @description The most results to return of each kind.
             * @default 10
             */
            limit?: number;
        };
        /**
         * HeadwaterOverviewReply
         * @description A Overview, with the version of its format.
         */
        HeadwaterOverviewReply: {
            answer: components["schemas"]["HeadwaterOverview"];
            /**
             * Kind
             * @constant
             */
            kind: "Overview";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterOwner
         * @description An owner and its role, as the facet names them.
         */
        HeadwaterOwner: {
            /** Name */
            name: string;
            /** Type */
            type: string;
        };
        /**
         * HeadwaterPii
         * @description Where fields went; of one dataset also what it holds, and from where.
         *
         *     Attributes:
         *         sources: the fields that the question starts from, and what their values reached.
         *         unknown: what is made of such data, or may bring it, by jobs that say nothing of columns; and what is uncertain.
         *         dataset: the dataset asked about, if it was a whole one.
         *         tagged: the matching tags of its columns, and of itself, whoever set them.
         *         arrivals: tagged columns of other datasets whose values arrive in it.
         *         dropped: set where the column asked about is no longer there.
         */
        HeadwaterPii: {
            /** Arrivals */
            arrivals: components["schemas"]["HeadwaterArrival"][];
            dataset: components["schemas"]["HeadwaterTableName"] | null;
            dropped: components["schemas"]["HeadwaterDropped"] | null;
            moment: components["schemas"]["HeadwaterMoment"];
            /** Partial */
            partial: boolean;
            /** Sources */
            sources: components["schemas"]["HeadwaterSource"][];
            /** Tagged */
            tagged: components["schemas"]["HeadwaterTaggedColumn"][];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterUnknown"][];
        };
        /**
         * HeadwaterPiiQuestion
         * @description Where fields with personal data went: in the clear, and masked at which step.
         */
        HeadwaterPiiQuestion: {
            /**
             * As Of
             * @description The time to look at; now if omitted. A date means the end of that day.
             */
            as_of?: string | number | null;
            /**
             * Column
             * @description Only this column of the dataset, whatever its tags.
             */
            column?: string | null;
            /**
             * Dataset
             * @description What this dataset holds, and where it goes: namespace/name, or a unique ending of it.
             */
            dataset?: string | null;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Tag
             * @description Start from columns with this tag, ignoring case, instead of a personal-data tag.
             */
            tag?: string | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
        };
        /**
         * HeadwaterPiiReply
         * @description A Pii, with the version of its format.
         */
        HeadwaterPiiReply: {
            answer: components["schemas"]["HeadwaterPii"];
            /**
             * Kind
             * @constant
             */
            kind: "Pii";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterProvenanceQuestion
         * @description Where a version comes from: its run, the versions that it read, and so on.
         */
        HeadwaterProvenanceQuestion: {
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Version
             * @description A version: its UUID, its name in a version facet, or the UUID of the run that wrote it.
             */
            version: string;
        };
        /**
         * HeadwaterReachedColumn
         * @description A column that is reached, and the shortest way to it: edges from the column asked about.
         *
         *     An edge into the rows of a dataset reaches all its columns.
         */
        HeadwaterReachedColumn: {
            node: components["schemas"]["HeadwaterNode"];
            /** Path */
            path: components["schemas"]["HeadwaterEdge"][];
        };
        /**
         * HeadwaterReachedDataset
         * @description A dataset, with its columns that are reached, nearest first, and the jobs that write them.
         */
        HeadwaterReachedDataset: {
            /** Columns */
            columns: components["schemas"]["HeadwaterReachedColumn"][];
            /** Jobs */
            jobs: components["schemas"]["HeadwaterTableName"][];
            name: components["schemas"]["HeadwaterTableName"];
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
        };
        /**
         * HeadwaterReachedJob
         * @description A job that reads what is reached or asked about, and the datasets that it writes from it, if any.
         */
        HeadwaterReachedJob: {
            /** Datasets */
            datasets: components["schemas"]["HeadwaterTableName"][];
            name: components["schemas"]["HeadwaterTableName"];
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
        };
        /**
         * HeadwaterReplacement
         * @description A dataset (a name without a field) or a column, and the one that took its place.
         */
        HeadwaterReplacement: {
            after: components["schemas"]["HeadwaterFieldName"];
            before: components["schemas"]["HeadwaterFieldName"];
            /**
             * By
             * @enum {string}
             */
            by: "other date" | "probable rename";
        };
        /**
         * HeadwaterRoot
         * @description A column at the start of a path, with what holds over all paths from it.
         *
         *     Attributes:
         *         node: the column: its distance, its most direct class, and whether it is masked on every path.
         *         root: why the path starts here.
         *         conditions: what it decides, where no value of it arrives: FILTER, JOIN, GROUP_BY, …
         *         jobs: the jobs that write its dataset.
         */
        HeadwaterRoot: {
            /** Conditions */
            conditions: string[];
            /** Jobs */
            jobs: components["schemas"]["HeadwaterTableName"][];
            node: components["schemas"]["HeadwaterNode"];
            /**
             * Root
             * @enum {string}
             */
            root: "source" | "constant" | "unknown" | "cut";
        };
        /**
         * HeadwaterRoots
         * @description The roots of a column, or of all columns of a dataset where `column` has no field; those with values first.
         *
         *     `unknown` are jobs on the way that may add roots which nobody names. `doubts` are inputs of which jobs on the way
         *     name no column, which may add roots too, and what is shown and not certain. `partial`: a limit was reached.
         */
        HeadwaterRoots: {
            column: components["schemas"]["HeadwaterFieldName"];
            /** Doubts */
            doubts: components["schemas"]["HeadwaterUnknown"][];
            dropped: components["schemas"]["HeadwaterDropped"] | null;
            moment: components["schemas"]["HeadwaterMoment"];
            /** Partial */
            partial: boolean;
            /** Roots */
            roots: components["schemas"]["HeadwaterRoot"][];
            /** Unknown */
            unknown: components["schemas"]["HeadwaterSilentWriter"][];
        };
        /**
         * HeadwaterRootsQuestion
         * @description The source columns at the start of all paths to a column, or to all columns: without what is in between.
         */
        HeadwaterRootsQuestion: {
            /**
             * As Of
             * @description The time to look at; now if omitted. A date means the end of that day.
             */
            as_of?: string | number | null;
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
        };
        /**
         * HeadwaterRootsReply
         * @description A Roots, with the version of its format.
         */
        HeadwaterRootsReply: {
            answer: components["schemas"]["HeadwaterRoots"];
            /**
             * Kind
             * @constant
             */
            kind: "Roots";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterRun
         * @description A run: when its first and its last event happened, and how it ended; `state` is None until then.
         */
        HeadwaterRun: {
            /** Ended Us */
            ended_us: number | null;
            /** Id */
            id: string;
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Parent */
            parent: string | null;
            /** Started Us */
            started_us: number | null;
            /** State */
            state: string | null;
            /** Streaming */
            streaming: boolean;
        };
        /**
         * HeadwaterRunDetails
         * @description A run, what it read, and the versions it wrote, the newest first; `partial` where there are more versions.
         */
        HeadwaterRunDetails: {
            /** Partial */
            partial: boolean;
            /** Reads */
            reads: components["schemas"]["HeadwaterTableName"][];
            run: components["schemas"]["HeadwaterRun"];
            /** Versions */
            versions: components["schemas"]["HeadwaterWritten"][];
        };
        /**
         * HeadwaterRunDetailsReply
         * @description A RunDetails, with the version of its format.
         */
        HeadwaterRunDetailsReply: {
            answer: components["schemas"]["HeadwaterRunDetails"];
            /**
             * Kind
             * @constant
             */
            kind: "RunDetails";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterRunQuestion
         * @description One run: when and how it ran, what it read, and the versions that it wrote.
         */
        HeadwaterRunQuestion: {
            /**
             * Run
             * @description The UUID of a run, or its id in events.
             */
            run: string;
        };
        /**
         * HeadwaterRunsPage
         * @description Runs of a job, the newest first; `cursor` leads to the next page and is None on the last.
         */
        HeadwaterRunsPage: {
            /** Cursor */
            cursor: string | null;
            job: components["schemas"]["HeadwaterTableName"];
            /** Runs */
            runs: components["schemas"]["HeadwaterRun"][];
        };
        /**
         * HeadwaterRunsPageReply
         * @description A RunsPage, with the version of its format.
         */
        HeadwaterRunsPageReply: {
            answer: components["schemas"]["HeadwaterRunsPage"];
            /**
             * Kind
             * @constant
             */
            kind: "RunsPage";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterRunsQuestion
         * @description The runs of a job, a page at a time, the newest first.
         */
        HeadwaterRunsQuestion: {
            /**
             * Cursor
             * @description The cursor of the previous page, to get the next one.
             */
            cursor?: string | null;
            /**
             * Job
             * @description Job: namespace/name, or a unique ending of it.
             */
            job: string;
            /**
             * Limit
             * @description The number of results per page.
             * @default 100
             */
            limit?: number;
        };
        /**
         * HeadwaterSearchQuestion
         * @description Datasets, columns and jobs by words of names, tags and descriptions, or by a field's name, its path or a tag.
         */
        HeadwaterSearchQuestion: {
            /**
             * Field
             * @description Instead of words: the name of a column or nested field, the last part of its path.
             */
            field?: string | null;
            /**
             * Kinds
             * @description The kinds to find: dataset, field, job. Can be repeated.
             */
            kinds?: ("dataset" | "field" | "job")[] | null;
            /**
             * Limit
             * @description The most results to return, best first.
             * @default 20
             */
            limit?: number;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Path
             * @description Instead of words: the path of a field: a.b, /a/b as in DataHub's RFC, or [version=2.0]….
             */
            path?: string | null;
            /**
             * Tag
             * @description Instead of words: a tag or glossary term of datasets and columns.
             */
            tag?: string | null;
            /**
             * Text
             * @description Words from names, tags or descriptions. Typos are tolerated.
             * @default
             */
            text?: string;
        };
        /**
         * HeadwaterSearchResult
         * @description What a search found, the best first; `partial`: there may be more.
         */
        HeadwaterSearchResult: {
            /** Hits */
            hits: components["schemas"]["HeadwaterHit"][];
            /** Partial */
            partial: boolean;
            /** Text */
            text: string;
        };
        /**
         * HeadwaterSearchResultReply
         * @description A SearchResult, with the version of its format.
         */
        HeadwaterSearchResultReply: {
            answer: components["schemas"]["HeadwaterSearchResult"];
            /**
             * Kind
             * @constant
             */
            kind: "SearchResult";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterSilentWriter
         * @description A job on the way that writes a dataset and does not say which columns from which: all that it reads may count.
         *
         *     `job` is None for what an event about the dataset itself declares.
         */
        HeadwaterSilentWriter: {
            dataset: components["schemas"]["HeadwaterTableName"];
            /** Distance */
            distance: number;
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Reads */
            reads: components["schemas"]["HeadwaterTableName"][];
        };
        /**
         * HeadwaterSource
         * @description A field that was asked about: its tags, and the fields that its values reached, the most exposed first.
         */
        HeadwaterSource: {
            field: components["schemas"]["HeadwaterFieldName"];
            /** Reached */
            reached: components["schemas"]["HeadwaterExposed"][];
            /** Tags */
            tags: string[];
        };
        /**
         * HeadwaterStats
         * @description Counts, the times of the first and the last event, and the size on disk.
         *
         *     `last_event` is the last that does not lie ahead of the clock; `events_ahead` counts those that do, and
         *     `last_event_ahead` is when the last of them happens.
         */
        HeadwaterStats: {
            /** Bytes */
            bytes: number;
            /** Database */
            database: string;
            /** Datasets */
            datasets: number;
            /** Edges */
            edges: number;
            /** Edges In Force */
            edges_in_force: number;
            /** Events */
            events: number;
            /** Events Ahead */
            events_ahead: number;
            /** Fields */
            fields: number;
            /** First Event */
            first_event: string | null;
            /** Jobs */
            jobs: number;
            /** Last Event */
            last_event: string | null;
            /** Last Event Ahead */
            last_event_ahead: string | null;
            /** Mappings */
            mappings: number;
            /** Place */
            place: string;
            /** Raw Events */
            raw_events: number;
            /** Runs */
            runs: number;
            /** Store Version */
            store_version: number;
            /** Versions */
            versions: number;
        };
        /**
         * HeadwaterStatsQuestion
         * @description How much there is.
         */
        HeadwaterStatsQuestion: Record<string, never>;
        /**
         * HeadwaterStatsReply
         * @description A Stats, with the version of its format.
         */
        HeadwaterStatsReply: {
            answer: components["schemas"]["HeadwaterStats"];
            /**
             * Kind
             * @constant
             */
            kind: "Stats";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterTableAnswer
         * @description What a question about a dataset or a job found; nodes by distance and name, the one asked about first.
         */
        HeadwaterTableAnswer: {
            /**
             * Direction
             * @enum {string}
             */
            direction: "upstream" | "downstream";
            /** Edges */
            edges: components["schemas"]["HeadwaterTableEdge"][];
            moment: components["schemas"]["HeadwaterMoment"];
            /** Nodes */
            nodes: components["schemas"]["HeadwaterTableNode"][];
            /** Partial */
            partial: boolean;
            root: components["schemas"]["HeadwaterTableName"];
        };
        /**
         * HeadwaterTableAnswerReply
         * @description A TableAnswer, with the version of its format.
         */
        HeadwaterTableAnswerReply: {
            answer: components["schemas"]["HeadwaterTableAnswer"];
            /**
             * Kind
             * @constant
             */
            kind: "TableAnswer";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterTableEdge
         * @description A job reads a dataset or writes it: data flows from origin to destination. `run` is the job's last run then.
         */
        HeadwaterTableEdge: {
            /** Destination */
            destination: [
                "DATASET" | "JOB",
                components["schemas"]["HeadwaterTableName"]
            ];
            /** Origin */
            origin: [
                "DATASET" | "JOB",
                components["schemas"]["HeadwaterTableName"]
            ];
            /** Run */
            run: string | null;
        };
        /**
         * HeadwaterTableName
         * @description A dataset or a job by its full name.
         */
        HeadwaterTableName: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
        };
        /**
         * HeadwaterTableNode
         * @description A dataset or a job, and the fewest hops to it.
         */
        HeadwaterTableNode: {
            /** Distance */
            distance: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "DATASET" | "JOB";
            name: components["schemas"]["HeadwaterTableName"];
        };
        /**
         * HeadwaterTag
         * @description A tag of a dataset, of one of its columns where `field` names it, or of a job.
         *
         *     `derived`: the column has it from the columns it is made of; see `headwater tags propagate`.
         */
        HeadwaterTag: {
            /** Derived */
            derived: boolean;
            /** Field */
            field: string | null;
            /** Key */
            key: string;
            /** Value */
            value: string | null;
        };
        /**
         * HeadwaterTaggedColumn
         * @description A column with a tag, or the whole dataset (no field); a derived tag is certain, or came through a doubtful step.
         *
         *     `source` is the column that a derived tag came from.
         */
        HeadwaterTaggedColumn: {
            /** Certain */
            certain: boolean;
            field: components["schemas"]["HeadwaterFieldName"];
            /**
             * Origin
             * @enum {string}
             */
            origin: "source" | "hand" | "derived";
            source: components["schemas"]["HeadwaterFieldName"] | null;
            /** Tag */
            tag: string;
        };
        /**
         * HeadwaterTransformation
         * @description What happens on an edge, in OpenLineage's words.
         *
         *     `effect` says what it does to the masking of the value: how it masks (irreversible, keyed, partial, unknown), or
         *     that it undoes a keyed masking (unmask) or may do so (may-unmask). It is empty where it does neither.
         */
        HeadwaterTransformation: {
            /** Description */
            description: string;
            /** Effect */
            effect: string;
            /** Masking */
            masking: boolean;
            /** Subtype */
            subtype: string;
            /** Type */
            type: string;
        };
        /**
         * HeadwaterUnknown
         * @description Something that an answer does not know: a job, what it writes, and what it reads.
         *
         *     Attributes:
         *         why: what is not known about it.
         *         dataset: what the job writes; None for one that only reads.
         *         job: who writes it; None for what an event about the dataset itself declares.
         *         reads: what the job reads, of that which the answer is about or which is unknown itself.
         *         distance: the fewest hops from what was asked about to the far side: what is written, or upstream what is read.
         *         owners: those of the dataset and those of the job, where the question asks for owners.
         *         columns: the columns of the dataset that are meant, where nothing is unknown of the others; empty for all.
         */
        HeadwaterUnknown: {
            /** Columns */
            columns: string[];
            dataset: components["schemas"]["HeadwaterTableName"] | null;
            /** Distance */
            distance: number;
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Owners */
            owners: components["schemas"]["HeadwaterOwner"][];
            /** Reads */
            reads: components["schemas"]["HeadwaterTableName"][];
            /**
             * Why
             * @enum {string}
             */
            why: "NO_COLUMNS" | "TABLE_ONLY" | "LEFT_OUT" | "AFTER_UNKNOWN" | "READS_ONLY" | "OPAQUE" | "CARRIED" | "ASSUMED";
        };
        /**
         * HeadwaterUpstreamQuestion
         * @description Where a column comes from or what it reaches; without one, the same of a dataset or a job.
         */
        HeadwaterUpstreamQuestion: {
            /**
             * As Of
             * @description The time to look at; now if omitted. A date means the end of that day.
             */
            as_of?: string | number | null;
            /**
             * Collapse
             * @description Show applications instead of the jobs that belong to them.
             * @default false
             */
            collapse?: boolean;
            /**
             * Column
             * @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset.
             */
            column?: string | null;
            /**
             * Contents
             * @description Include every write since the dataset was last fully overwritten, not only the latest.
             * @default false
             */
            contents?: boolean;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it. Cannot be combined with job.
             */
            dataset?: string | null;
            /**
             * Depth
             * @description The most edges to follow; all if omitted.
             */
            depth?: number | null;
            /**
             * Direct
             * @description Follow values only: leave out filters, joins, grouping, sorting and conditions.
             * @default false
             */
            direct?: boolean;
            /**
             * Job
             * @description A job to start from instead of a dataset.
             */
            job?: string | null;
            /**
             * Limit
             * @description The most results to return, nearest first. The answer says if there are more.
             */
            limit?: number | null;
            /**
             * Namespaces
             * @description Only include these namespaces. Can be repeated.
             */
            namespaces?: string[] | null;
            /**
             * Since
             * @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day.
             */
            since?: string | number | null;
            /**
             * Until
             * @description The end of the time window. A date means the end of that day.
             */
            until?: string | number | null;
            /**
             * Version
             * @description The version to look at: its UUID, its name in a version facet, or the UUID of the run that wrote it.
             */
            version?: string | null;
        };
        /**
         * HeadwaterUsed
         * @description A dataset, and how many of the last runs that completed read it and wrote it.
         */
        HeadwaterUsed: {
            name: components["schemas"]["HeadwaterTableName"];
            /** Reads */
            reads: number;
            /** Writes */
            writes: number;
        };
        /**
         * HeadwaterVersionsPage
         * @description Versions of a dataset, the newest first; `cursor` leads to the next page and is None on the last.
         */
        HeadwaterVersionsPage: {
            /** Cursor */
            cursor: string | null;
            dataset: components["schemas"]["HeadwaterTableName"];
            /** Versions */
            versions: components["schemas"]["HeadwaterWritten"][];
        };
        /**
         * HeadwaterVersionsPageReply
         * @description A VersionsPage, with the version of its format.
         */
        HeadwaterVersionsPageReply: {
            answer: components["schemas"]["HeadwaterVersionsPage"];
            /**
             * Kind
             * @constant
             */
            kind: "VersionsPage";
            /** Wire */
            wire: number;
        };
        /**
         * HeadwaterVersionsQuestion
         * @description The versions of a dataset, a page at a time, the newest first.
         */
        HeadwaterVersionsQuestion: {
            /**
             * Cursor
             * @description The cursor of the previous page, to get the next one.
             */
            cursor?: string | null;
            /**
             * Dataset
             * @description Dataset: namespace/name, or a unique ending of it.
             */
            dataset: string;
            /**
             * Limit
             * @description The number of results per page.
             * @default 100
             */
            limit?: number;
        };
        /**
         * HeadwaterWay
         * @description A shortest way on which values arrive like this.
         */
        HeadwaterWay: {
            /**
             * Exposure
             * @enum {string}
             */
            exposure: "CLEAR" | "POSSIBLE" | "PARTIAL" | "MASKED" | "INDIRECT";
            /** Path */
            path: components["schemas"]["HeadwaterLeg"][];
        };
        /**
         * HeadwaterWrite
         * @description Who wrote: a job's run, and what the write did to the dataset (OVERWRITE, DROP, …) where that is known.
         *
         *     `job` is None for what an event about the dataset itself declares, `run` where there was none.
         */
        HeadwaterWrite: {
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Lifecycle */
            lifecycle: string | null;
            /** Run */
            run: string | null;
        };
        /**
         * HeadwaterWritten
         * @description A version of a dataset: the write that made it.
         *
         *     Attributes:
         *         id: its UUID.
         *         name: the name that a version facet gives it.
         *         dataset: the dataset.
         *         us: when it was written, in microseconds UTC.
         *         job: the job that wrote it; None where an event about the dataset itself declares it.
         *         run: the run that wrote it.
         *         lifecycle: what the write did to the dataset (OVERWRITE, DROP, …), where that is known.
         *         whole: whether the write replaced all rows.
         *         carried: whether its column lineage is that of the job's write before.
         *         in_force: whether it still counts: neither its job nor a whole overwrite has ended it.
         */
        HeadwaterWritten: {
            /** Carried */
            carried: boolean;
            dataset: components["schemas"]["HeadwaterTableName"];
            /** Id */
            id: string;
            /** In Force */
            in_force: boolean;
            job: components["schemas"]["HeadwaterTableName"] | null;
            /** Lifecycle */
            lifecycle: string | null;
            /** Name */
            name: string | null;
            /** Run */
            run: string | null;
            /** Us */
            us: number;
            /** Whole */
            whole: boolean;
        };
        /**
         * Health
         * @description The state of the server; `message` says what is wrong.
         */
        Health: {
            /** Message */
            message?: string | null;
            /** Status */
            status: string;
        };
        /**
         * JobBody
         * @description A job to register.
         */
        JobBody: {
            /** Context */
            context?: {
                [key: string]: string;
            };
            /** Description */
            description?: string | null;
            /** Inputs */
            inputs?: components["schemas"]["NameBody"][];
            /** Location */
            location?: string | null;
            /** Outputs */
            outputs?: components["schemas"]["NameBody"][];
            /** Runid */
            runId?: string | null;
            /** Tags */
            tags?: string[];
            type: components["schemas"]["JobType"];
        };
        /**
         * JobModel
         * @description A job.
         */
        JobModel: {
            /** Createdat */
            createdAt: string;
            /** Currentversion */
            currentVersion: string;
            /** Description */
            description: string | null;
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
            id: components["schemas"]["Name"];
            /** Inputs */
            inputs: components["schemas"]["Name"][];
            /** Labels */
            labels: string[];
            latestRun: components["schemas"]["RunModel"] | null;
            /** Latestruns */
            latestRuns: components["schemas"]["RunModel"][] | null;
            /** Location */
            location: string | null;
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Outputs */
            outputs: components["schemas"]["Name"][];
            /** Parentjobname */
            parentJobName: string | null;
            /** Parentjobuuid */
            parentJobUuid: string | null;
            /** Simplename */
            simpleName: string;
            /** Tags */
            tags: string[];
            /** Type */
            type: string;
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * Jobs
         * @description A page of jobs.
         */
        Jobs: {
            /** Jobs */
            jobs: components["schemas"]["JobModel"][];
            /** Totalcount */
            totalCount: number;
        };
        /**
         * JobType
         * @description The type of a job.
         * @enum {string}
         */
        JobType: "BATCH" | "STREAM" | "SERVICE";
        /**
         * JobVersionModel
         * @description A version of a job: what it read and wrote.
         */
        JobVersionModel: {
            /** Createdat */
            createdAt: string;
            id: components["schemas"]["VersionId"];
            /** Inputs */
            inputs: components["schemas"]["Name"][];
            latestRun: components["schemas"]["RunModel"] | null;
            /** Location */
            location: string | null;
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Outputs */
            outputs: components["schemas"]["Name"][];
            /** Version */
            version: string;
        };
        /**
         * JobVersions
         * @description The versions of a job.
         */
        JobVersions: {
            /** Versions */
            versions: components["schemas"]["JobVersionModel"][];
        };
        /**
         * LineageGraph
         * @description A graph, its nodes by id. `partial`: a limit was reached, and the nearest are here; `hint` says what to do.
         */
        LineageGraph: {
            /** Graph */
            graph: components["schemas"]["NodeModel"][];
            /** Hint */
            hint?: string | null;
            /** Partial */
            partial?: boolean | null;
        };
        /**
         * Name
         * @description A dataset's or a job's name.
         */
        Name: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
        };
        /**
         * NameBody
         * @description A dataset that a job reads or writes.
         */
        NameBody: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
        };
        /**
         * NamespaceBody
         * @description The description of a namespace.
         */
        NamespaceBody: {
            /** Description */
            description?: string | null;
            /** Ownername */
            ownerName: string;
        };
        /**
         * NamespaceModel
         * @description A namespace.
         */
        NamespaceModel: {
            /** Createdat */
            createdAt: string;
            /** Description */
            description: string | null;
            /** Ishidden */
            isHidden: boolean;
            /** Name */
            name: string;
            /** Ownername */
            ownerName: string;
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * Namespaces
         * @description A page of namespaces.
         */
        Namespaces: {
            /** Namespaces */
            namespaces: components["schemas"]["NamespaceModel"][];
        };
        /**
         * NodeModel
         * @description A node of a graph; its data depend on its type.
         */
        NodeModel: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Id */
            id: string;
            /** Inedges */
            inEdges: components["schemas"]["EdgeModel"][];
            /** Outedges */
            outEdges: components["schemas"]["EdgeModel"][];
            /**
             * Type
             * @enum {string}
             */
            type: "DATASET" | "JOB" | "DATASET_FIELD";
        };
        /**
         * OnAspects
         * @description Actions on aspects.
         * @enum {string}
         */
        OnAspects: "ingestProposal" | "ingestProposalBatch";
        /**
         * OnEntities
         * @description Actions on entities.
         * @enum {string}
         */
        OnEntities: "ingest" | "ingestBatch" | "delete";
        /**
         * Period
         * @description The period to count over.
         * @enum {string}
         */
        Period: "DAY" | "WEEK";
        /**
         * Problem
         * @description What is wrong: the status, and a sentence that names the field and the reason.
         */
        Problem: {
            /** Code */
            code: number;
            /** Message */
            message: string;
        };
        /**
         * ReadVersion
         * @description A version that a run read, and the run that wrote it.
         */
        ReadVersion: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Producedbyrunid */
            producedByRunId: string | null;
            /** Version */
            version: string;
        };
        /**
         * RefusedChange
         * @description A refused change: its place in the request, the entity, the aspect, and why.
         */
        RefusedChange: {
            /** Aspect */
            aspect: string | null;
            /** Index */
            index: number;
            /** Reason */
            reason: string;
            /** Urn */
            urn: string | null;
        };
        /**
         * RestLiProblem
         * @description What is wrong, in Rest.li's format; `refused` lists the changes that are not stored.
         *
         *     A request refused before it reaches DataHub's routes has only `code` and `message`.
         */
        RestLiProblem: {
            /** Code */
            code: number;
            /** Exceptionclass */
            exceptionClass?: string | null;
            /** Message */
            message: string;
            /**
             * Refused
             * @default []
             */
            refused?: components["schemas"]["RefusedChange"][];
            /** Status */
            status?: number | null;
        };
        /**
         * RunBody
         * @description A run to create.
         */
        RunBody: {
            /** Args */
            args?: {
                [key: string]: string;
            };
            /** Id */
            id?: string | null;
            /** Nominalendtime */
            nominalEndTime?: string | null;
            /** Nominalstarttime */
            nominalStartTime?: string | null;
        };
        /**
         * RunFacets
         * @description The facets of a run, or of its job in that run.
         */
        RunFacets: {
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
            /** Runid */
            runId: string;
        };
        /**
         * RunModel
         * @description A run.
         */
        RunModel: {
            /** Args */
            args: {
                [key: string]: unknown;
            };
            /** Createdat */
            createdAt: string;
            /** Durationms */
            durationMs: number | null;
            /** Endedat */
            endedAt: string | null;
            /** Facets */
            facets: {
                [key: string]: unknown;
            };
            /** Id */
            id: string;
            /** Inputdatasetversions */
            inputDatasetVersions: components["schemas"]["DatasetVersionOfRun"][];
            jobVersion: components["schemas"]["VersionId"] | null;
            /** Nominalendtime */
            nominalEndTime: string | null;
            /** Nominalstarttime */
            nominalStartTime: string | null;
            /** Outputdatasetversions */
            outputDatasetVersions: components["schemas"]["DatasetVersionOfRun"][];
            /** Startedat */
            startedAt: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "NEW" | "RUNNING" | "COMPLETED" | "ABORTED" | "FAILED";
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * Runs
         * @description A page of a job's runs.
         */
        Runs: {
            /** Runs */
            runs: components["schemas"]["RunModel"][];
            /** Totalcount */
            totalCount: number;
        };
        /**
         * RunState
         * @description The states of a run.
         * @enum {string}
         */
        RunState: "NEW" | "RUNNING" | "COMPLETED" | "ABORTED" | "FAILED";
        /**
         * RunTimes
         * @description A run in short.
         */
        RunTimes: {
            /** End */
            end: string | null;
            /** Id */
            id: string;
            /** Start */
            start: string | null;
            /** Status */
            status: string;
        };
        /**
         * SearchHit
         * @description A dataset or a job that matches.
         */
        SearchHit: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Nodeid */
            nodeId: string;
            /**
             * Type
             * @enum {string}
             */
            type: "DATASET" | "JOB";
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * SearchResults
         * @description The results of a search.
         */
        SearchResults: {
            /** Results */
            results: components["schemas"]["SearchHit"][];
            /** Totalcount */
            totalCount: number;
        };
        /**
         * Sort
         * @description What the results are ordered by.
         * @enum {string}
         */
        Sort: "NAME" | "UPDATE_AT";
        /**
         * SortDirection
         * @description Which events come first.
         * @enum {string}
         */
        SortDirection: "desc" | "asc";
        /**
         * SourceBody
         * @description The description of a source.
         */
        SourceBody: {
            /** Connectionurl */
            connectionUrl: string;
            /** Description */
            description?: string | null;
            /** Type */
            type: string;
        };
        /**
         * SourceModel
         * @description A source of datasets.
         */
        SourceModel: {
            /** Connectionurl */
            connectionUrl: string;
            /** Createdat */
            createdAt: string;
            /** Description */
            description: string | null;
            /** Name */
            name: string;
            /** Type */
            type: string;
            /** Updatedat */
            updatedAt: string;
        };
        /**
         * Sources
         * @description A page of sources.
         */
        Sources: {
            /** Sources */
            sources: components["schemas"]["SourceModel"][];
        };
        /**
         * TagBody
         * @description The description of a tag.
         */
        TagBody: {
            /** Description */
            description?: string | null;
        };
        /**
         * TagModel
         * @description A tag.
         */
        TagModel: {
            /** Description */
            description: string | null;
            /** Name */
            name: string;
        };
        /**
         * Tags
         * @description A page of tags.
         */
        Tags: {
            /** Tags */
            tags: components["schemas"]["TagModel"][];
        };
        /**
         * TransformationModel
         * @description How a value goes into another, in OpenLineage's terms.
         */
        TransformationModel: {
            /** Description */
            description: string;
            /** Masking */
            masking: boolean;
            /** Subtype */
            subtype: string;
            /** Type */
            type: string;
        };
        /**
         * UpstreamRun
         * @description A run, its job, and what it read.
         */
        UpstreamRun: {
            /** Inputs */
            inputs: components["schemas"]["ReadVersion"][];
            job: components["schemas"]["VersionId"] | null;
            run: components["schemas"]["RunTimes"];
        };
        /**
         * UpstreamRuns
         * @description The runs upstream of a run, the nearest first; `partial` if a limit was reached.
         */
        UpstreamRuns: {
            /** Partial */
            partial?: boolean | null;
            /** Runs */
            runs: components["schemas"]["UpstreamRun"][];
        };
        /**
         * VersionId
         * @description A version of a dataset or a job.
         */
        VersionId: {
            /** Name */
            name: string;
            /** Namespace */
            namespace: string;
            /** Version */
            version: string;
        };
        /**
         * Which
         * @description Which end of a relation the entity is.
         * @enum {string}
         */
        Which: "INCOMING" | "OUTGOING";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_column_lineage_api_v1_column_lineage_get: {
        parameters: {
            query: {
                /** @description A column of the dataset: the answer then lists the datasets that feed it. */
                column?: string | null;
                /** @description The number of steps to follow, up to 1000. */
                depth?: number;
                /** @description `dataset:namespace:name`, `datasetField:namespace:name:field` or `job:namespace:name`; for a version of a dataset, add `#version` or `:version`. */
                nodeId: string;
                /** @description Include what the columns feed. */
                withDownstream?: boolean;
                /** @description Include what only decides which rows there are (filters, joins, …), as inputs of every column. */
                withRows?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageGraph"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_events_api_v1_events_get: {
        parameters: {
            query?: {
                /** @description Only events at this time or after it; empty for all. */
                after?: string | "" | null;
                /** @description Only events before this time; empty for all that do not lie ahead. */
                before?: string | "" | null;
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
                sortDirection?: components["schemas"]["SortDirection"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_events_of_namespace_api_v1_events__namespace__get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_events_of_runs_api_v1_events_lineage_get: {
        parameters: {
            query?: {
                /** @description Only events at this time or after it; empty for all. */
                after?: string | "" | null;
                /** @description Only events before this time; empty for all that do not lie ahead. */
                before?: string | "" | null;
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
                sortDirection?: components["schemas"]["SortDirection"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_jobs_api_v1_jobs_get: {
        parameters: {
            query?: {
                /** @description Only jobs whose last run has one of these states. */
                lastRunStates?: components["schemas"]["RunState"][];
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jobs"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_run_api_v1_jobs_runs__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mark_run_abort_api_v1_jobs_runs__id__abort_post: {
        parameters: {
            query?: {
                /** @description When it happened, with a time zone; now if omitted. */
                at?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mark_run_complete_api_v1_jobs_runs__id__complete_post: {
        parameters: {
            query?: {
                /** @description When it happened, with a time zone; now if omitted. */
                at?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_run_facets_api_v1_jobs_runs__id__facets_get: {
        parameters: {
            query: {
                type: components["schemas"]["FacetType"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFacets"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mark_run_fail_api_v1_jobs_runs__id__fail_post: {
        parameters: {
            query?: {
                /** @description When it happened, with a time zone; now if omitted. */
                at?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mark_run_start_api_v1_jobs_runs__id__start_post: {
        parameters: {
            query?: {
                /** @description When it happened, with a time zone; now if omitted. */
                at?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_lineage_api_v1_lineage_get: {
        parameters: {
            query: {
                /** @description The number of steps to follow, up to 1000. */
                depth?: number;
                /** @description `dataset:namespace:name`, `datasetField:namespace:name:field` or `job:namespace:name`; for a version of a dataset, add `#version` or `:version`. */
                nodeId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageGraph"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_event_api_v1_lineage_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    eventTime: string;
                    /** @enum {unknown} */
                    eventType?: "START" | "RUNNING" | "COMPLETE" | "ABORT" | "FAIL" | "OTHER" | null;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    run: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        /** @description A UUID; one is derived from any other text. */
                        runId: string;
                    };
                } | {
                    /** Format: date-time */
                    eventTime: string;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    schemaURL: string;
                } | {
                    dataset: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    /** Format: date-time */
                    eventTime: string;
                };
            };
        };
        responses: {
            /** @description The event is stored, and every server on the store sees it. */
            201: {
                headers: {
                    /** @description Says that the event's time lies ahead of the server's clock, where it does. */
                    Warning?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, or nested too deeply. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description A token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The token does not allow writing. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body did not arrive in time, or too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body is too large: its bytes, as sent or decompressed, its JSON values, or its events. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body has an unsupported type, charset or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description Not an event that can be stored; names the field and the reason. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The server is busy; Retry-After says when to send it again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store is unavailable and nothing was stored; Retry-After says when to send it again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store's disk is full. Nothing was stored. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_batch_api_v1_lineage_batch_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    /** Format: date-time */
                    eventTime: string;
                    /** @enum {unknown} */
                    eventType?: "START" | "RUNNING" | "COMPLETE" | "ABORT" | "FAIL" | "OTHER" | null;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    run: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        /** @description A UUID; one is derived from any other text. */
                        runId: string;
                    };
                } | {
                    /** Format: date-time */
                    eventTime: string;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    schemaURL: string;
                } | {
                    dataset: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    /** Format: date-time */
                    eventTime: string;
                })[];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description All events are stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description New events. */
                        accepted: number;
                        /** @description The first 100 of the stored events whose time lies ahead of the server's clock; they count from then on. */
                        ahead?: {
                            /** Format: date-time */
                            eventTime: string;
                            index: number;
                        }[];
                        /** @description All events that lie ahead, listed or not; left out if none does. */
                        ahead_count?: number;
                        /** @description Events that were already stored. */
                        duplicates: number;
                        received: number;
                        /** @description The first 1000 of the rejected events. */
                        rejected: {
                            field: string | null;
                            index: number;
                            reason: string;
                        }[];
                        /** @description All rejected events, listed or not. */
                        rejected_count?: number;
                    };
                };
            };
            /** @description The valid events are stored; the others are listed. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description New events. */
                        accepted: number;
                        /** @description The first 100 of the stored events whose time lies ahead of the server's clock; they count from then on. */
                        ahead?: {
                            /** Format: date-time */
                            eventTime: string;
                            index: number;
                        }[];
                        /** @description All events that lie ahead, listed or not; left out if none does. */
                        ahead_count?: number;
                        /** @description Events that were already stored. */
                        duplicates: number;
                        received: number;
                        /** @description The first 1000 of the rejected events. */
                        rejected: {
                            field: string | null;
                            index: number;
                            reason: string;
                        }[];
                        /** @description All rejected events, listed or not. */
                        rejected_count?: number;
                    };
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, or nested too deeply. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description A token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The token does not allow writing. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body did not arrive in time, or too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body is too large: its bytes, as sent or decompressed, its JSON values, or its events. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body has an unsupported type, charset or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description None of the events can be stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description New events. */
                        accepted: number;
                        /** @description The first 100 of the stored events whose time lies ahead of the server's clock; they count from then on. */
                        ahead?: {
                            /** Format: date-time */
                            eventTime: string;
                            index: number;
                        }[];
                        /** @description All events that lie ahead, listed or not; left out if none does. */
                        ahead_count?: number;
                        code?: number;
                        /** @description Events that were already stored. */
                        duplicates: number;
                        message?: string;
                        received: number;
                        /** @description The first 1000 of the rejected events. */
                        rejected: {
                            field: string | null;
                            index: number;
                            reason: string;
                        }[];
                        /** @description All rejected events, listed or not. */
                        rejected_count?: number;
                    };
                };
            };
            /** @description The server is busy; Retry-After says when to send it again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store is unavailable and nothing was stored; Retry-After says when to send it again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store's disk is full. Nothing was stored. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_namespaces_api_v1_namespaces_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespaces"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_namespace_api_v1_namespaces__namespace__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_namespace_api_v1_namespaces__namespace__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespaceBody"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_namespace_api_v1_namespaces__namespace__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_datasets_api_v1_namespaces__namespace__datasets_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Datasets"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_dataset_api_v1_namespaces__namespace__datasets__dataset__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_dataset_api_v1_namespaces__namespace__datasets__dataset__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetBody"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_dataset_api_v1_namespaces__namespace__datasets__dataset__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tag_field_api_v1_namespaces__namespace__datasets__dataset__fields__field__tags__tag__post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                field: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    untag_field_api_v1_namespaces__namespace__datasets__dataset__fields__field__tags__tag__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                field: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tag_dataset_api_v1_namespaces__namespace__datasets__dataset__tags__tag__post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    untag_dataset_api_v1_namespaces__namespace__datasets__dataset__tags__tag__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_dataset_versions_api_v1_namespaces__namespace__datasets__dataset__versions_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                dataset: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersions"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_dataset_version_api_v1_namespaces__namespace__datasets__dataset__versions__version__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                namespace: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersionModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_jobs_api_v1_namespaces__namespace__jobs_get: {
        parameters: {
            query?: {
                /** @description Only jobs whose last run has one of these states. */
                lastRunStates?: components["schemas"]["RunState"][];
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jobs"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_job_api_v1_namespaces__namespace__jobs__job__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_job_api_v1_namespaces__namespace__jobs__job__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobBody"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_job_api_v1_namespaces__namespace__jobs__job__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_runs_api_v1_namespaces__namespace__jobs__job__runs_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runs"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_run_api_v1_namespaces__namespace__jobs__job__runs_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunBody"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tag_job_api_v1_namespaces__namespace__jobs__job__tags__tag__post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    untag_job_api_v1_namespaces__namespace__jobs__job__tags__tag__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_job_versions_api_v1_namespaces__namespace__jobs__job__versions_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                job: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobVersions"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_job_version_api_v1_namespaces__namespace__jobs__job__versions__version__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
                namespace: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobVersionModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReply"];
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_dataset: {
        parameters: {
            query: {
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterDatasetDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_dataset: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterDatasetQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterDatasetDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_datasets: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page, to get the next one. */
                cursor?: string | null;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The number of results per page. */
                limit?: number;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterNamesPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_datasets: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterDatasetsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterNamesPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_diff: {
        parameters: {
            query: {
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description upstream or downstream. */
                direction?: "upstream" | "downstream";
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The earlier time. A date means the end of that day. */
                since?: string | number | null;
                /** @description The later time; now if omitted. A date means the end of that day. */
                until?: string | number | null;
                /** @description Two versions to compare instead of two times, the earlier first. Give the parameter twice. */
                versions?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterDiffReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_diff: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterDiffQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterDiffReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_downstream: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                as_of?: string | number | null;
                /** @description Show applications instead of the jobs that belong to them. */
                collapse?: boolean;
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Include every write since the dataset was last fully overwritten, not only the latest. */
                contents?: boolean;
                /** @description Dataset: namespace/name, or a unique ending of it. Cannot be combined with job. */
                dataset?: string | null;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description A job to start from instead of a dataset. */
                job?: string | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
                /** @description The version to look at: its UUID, its name in a version facet, or the UUID of the run that wrote it. */
                version?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"] | components["schemas"]["HeadwaterTableAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_downstream: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterDownstreamQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"] | components["schemas"]["HeadwaterTableAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page, to get the next one. */
                cursor?: string | null;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The number of results per page. */
                limit?: number;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterEventsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_events: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterEventsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterEventsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_history: {
        parameters: {
            query: {
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterHistoryReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_history: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterHistoryQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterHistoryReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_impact: {
        parameters: {
            query: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                as_of?: string | number | null;
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterImpactReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_impact: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterImpactQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterImpactReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_job: {
        parameters: {
            query: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description Job: namespace/name, or a unique ending of it. */
                job: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterJobDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_job: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterJobQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterJobDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_jobs: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page, to get the next one. */
                cursor?: string | null;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The number of results per page. */
                limit?: number;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterNamesPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_jobs: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterJobsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterNamesPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_outlines: {
        parameters: {
            query: {
                /** @description Full dataset names: namespace/name. Can be repeated. */
                datasets: string[];
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterOutlinesReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_outlines: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterOutlinesQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterOutlinesReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_overview: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return of each kind. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterOverviewReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_overview: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterOverviewQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterOverviewReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_pii: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                as_of?: string | number | null;
                /** @description Only this column of the dataset, whatever its tags. */
                column?: string | null;
                /** @description What this dataset holds, and where it goes: namespace/name, or a unique ending of it. */
                dataset?: string | null;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description Start from columns with this tag, ignoring case, instead of a personal-data tag. */
                tag?: string | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterPiiReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_pii: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterPiiQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterPiiReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_provenance: {
        parameters: {
            query: {
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description A version: its UUID, its name in a version facet, or the UUID of the run that wrote it. */
                version: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_provenance: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterProvenanceQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_roots: {
        parameters: {
            query: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                as_of?: string | number | null;
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRootsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_roots: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterRootsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRootsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The UUID of a run, or its id in events. */
                run: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRunDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_run: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterRunQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRunDetailsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_runs: {
        parameters: {
            query: {
                /** @description The cursor of the previous page, to get the next one. */
                cursor?: string | null;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description Job: namespace/name, or a unique ending of it. */
                job: string;
                /** @description The number of results per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRunsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_runs: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterRunsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterRunsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_search: {
        parameters: {
            query?: {
                /** @description Instead of words: the name of a column or nested field, the last part of its path. */
                field?: string | null;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The kinds to find: dataset, field, job. Can be repeated. */
                kinds?: ("dataset" | "field" | "job")[] | null;
                /** @description The most results to return, best first. */
                limit?: number;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description Instead of words: the path of a field: a.b, /a/b as in DataHub's RFC, or [version=2.0]…. */
                path?: string | null;
                /** @description Instead of words: a tag or glossary term of datasets and columns. */
                tag?: string | null;
                /** @description Words from names, tags or descriptions. Typos are tolerated. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterSearchResultReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_search: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterSearchQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterSearchResultReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_stats: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterStatsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_stats: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterStatsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterStatsReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_upstream: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                as_of?: string | number | null;
                /** @description Show applications instead of the jobs that belong to them. */
                collapse?: boolean;
                /** @description Column, path of a nested field, or * for all columns. Omit it to ask about the whole dataset. */
                column?: string | null;
                /** @description Include every write since the dataset was last fully overwritten, not only the latest. */
                contents?: boolean;
                /** @description Dataset: namespace/name, or a unique ending of it. Cannot be combined with job. */
                dataset?: string | null;
                /** @description The most edges to follow; all if omitted. */
                depth?: number | null;
                /** @description Follow values only: leave out filters, joins, grouping, sorting and conditions. */
                direct?: boolean;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description A job to start from instead of a dataset. */
                job?: string | null;
                /** @description The most results to return, nearest first. The answer says if there are more. */
                limit?: number | null;
                /** @description Only include these namespaces. Can be repeated. */
                namespaces?: string[] | null;
                /** @description The start of a time window: everything in effect at any time within it is included. A date means the start of that day. */
                since?: string | number | null;
                /** @description The end of the time window. A date means the end of that day. */
                until?: string | number | null;
                /** @description The version to look at: its UUID, its name in a version facet, or the UUID of the run that wrote it. */
                version?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"] | components["schemas"]["HeadwaterTableAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_upstream: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterUpstreamQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterAnswerReply"] | components["schemas"]["HeadwaterTableAnswerReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_versions: {
        parameters: {
            query: {
                /** @description The cursor of the previous page, to get the next one. */
                cursor?: string | null;
                /** @description Dataset: namespace/name, or a unique ending of it. */
                dataset: string;
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
                /** @description The number of results per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterVersionsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_versions: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides Accept. */
                format?: components["schemas"]["Format"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeadwaterVersionsQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphml+xml": string;
                    "application/json": components["schemas"]["HeadwaterVersionsPageReply"];
                    "text/csv": string;
                    "text/vnd.graphviz": string;
                    "text/vnd.mermaid": string;
                };
            };
            /** @description The question is invalid or ambiguous. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A name was not found; the closest names are listed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description None of the accepted formats is supported. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_upstream_runs_api_v1_runlineage_upstream_get: {
        parameters: {
            query: {
                /** @description The number of steps to follow, up to 1000. */
                depth?: number;
                /** @description The id of a run in its events, or its UUID. */
                runId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamRuns"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_search_api_v1_search_get: {
        parameters: {
            query: {
                /** @description YYYY-MM-DD */
                after?: string | null;
                /** @description YYYY-MM-DD */
                before?: string | null;
                filter?: components["schemas"]["Filter"] | null;
                /** @description How many to return, up to 1000. */
                limit?: number;
                namespace?: string | null;
                /** @description A part of a name. */
                q: string;
                sort?: components["schemas"]["Sort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sources_api_v1_sources_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sources"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_source_api_v1_sources__source__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_source_api_v1_sources__source__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceBody"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    count_datasets_api_v1_stats_datasets_get: {
        parameters: {
            query?: {
                period?: components["schemas"]["Period"];
                /** @description The time zone that days are counted in, such as Europe/Berlin. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"][];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    count_jobs_api_v1_stats_jobs_get: {
        parameters: {
            query?: {
                period?: components["schemas"]["Period"];
                /** @description The time zone that days are counted in, such as Europe/Berlin. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"][];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    count_events_api_v1_stats_lineage_events_get: {
        parameters: {
            query?: {
                period?: components["schemas"]["Period"];
                /** @description The time zone that days are counted in, such as Europe/Berlin. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventCounts"][];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    count_sources_api_v1_stats_sources_get: {
        parameters: {
            query?: {
                period?: components["schemas"]["Period"];
                /** @description The time zone that days are counted in, such as Europe/Berlin. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"][];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tags_api_v1_tags_get: {
        parameters: {
            query?: {
                /** @description The number of results to return, up to 10000. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tags"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    describe_tag_api_v1_tags__tag__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TagBody"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_aspects_aspects_post: {
        parameters: {
            query: {
                action: components["schemas"]["OnAspects"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A change proposal (MCP). */
                    proposal?: {
                        aspect: {
                            contentType?: string;
                            /** @description The aspect, or the patch, as a JSON string. */
                            value: string;
                        };
                        aspectName: string;
                        /** @enum {unknown} */
                        changeType?: "UPSERT" | "CREATE" | "UPDATE" | "RESTATE" | "PATCH" | "DELETE";
                        entityType?: string;
                        entityUrn: string;
                        systemMetadata?: Record<string, never>;
                    };
                    proposals?: {
                        aspect: {
                            contentType?: string;
                            /** @description The aspect, or the patch, as a JSON string. */
                            value: string;
                        };
                        aspectName: string;
                        /** @enum {unknown} */
                        changeType?: "UPSERT" | "CREATE" | "UPDATE" | "RESTATE" | "PATCH" | "DELETE";
                        entityType?: string;
                        entityUrn: string;
                        systemMetadata?: Record<string, never>;
                    }[];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_aspect_aspects__urn__get: {
        parameters: {
            query: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
                /** @description The name of the aspect. */
                aspect: string;
                /** @description 0, the latest. For other times, use asOf. */
                version?: number;
            };
            header?: never;
            path: {
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description No such entity or aspect. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_config_config_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_entities_entities_post: {
        parameters: {
            query: {
                action: components["schemas"]["OnEntities"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entities?: {
                        /** @description A snapshot under the name of its class. */
                        value: Record<string, never>;
                    }[];
                    entity?: {
                        /** @description A snapshot under the name of its class. */
                        value: Record<string, never>;
                    };
                    systemMetadata?: Record<string, never> | unknown[];
                    /** @description What to delete. */
                    urn?: string;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_entity_entitiesV2__urn__get: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
                /** @description Only these: List(a,b). */
                aspects?: string | null;
            };
            header?: never;
            path: {
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_livez_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scrape_metrics_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_event_as_datahub_openapi_openlineage_api_v1_lineage_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    eventTime: string;
                    /** @enum {unknown} */
                    eventType?: "START" | "RUNNING" | "COMPLETE" | "ABORT" | "FAIL" | "OTHER" | null;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    run: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        /** @description A UUID; one is derived from any other text. */
                        runId: string;
                    };
                } | {
                    /** Format: date-time */
                    eventTime: string;
                    inputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    job: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    outputs?: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    }[] | null;
                    schemaURL: string;
                } | {
                    dataset: {
                        /** @description Facets by name. */
                        facets?: {
                            [key: string]: Record<string, never> | null;
                        } | null;
                        name: string;
                        namespace: string;
                    };
                    /** Format: date-time */
                    eventTime: string;
                };
            };
        };
        responses: {
            /** @description The event is stored. */
            200: {
                headers: {
                    /** @description Says that the event's time lies ahead of the server's clock, where it does. */
                    Warning?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, or nested too deeply. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description A token is required. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The token does not allow writing. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body did not arrive in time, or too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body is too large: its bytes, as sent or decompressed, its JSON values, or its events. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The body has an unsupported type, charset or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description Not an event that can be stored; names the field and the reason. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The server is busy; Retry-After says when to send it again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store is unavailable and nothing was stored; Retry-After says when to send it again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The store's disk is full. Nothing was stored. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_relationships_openapi_relationships_v1_get: {
        parameters: {
            query: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
                /** @description The number of relations to return, up to 10000. */
                count?: number;
                direction: components["schemas"]["Which"];
                /** @description Only relations of this type, such as HasField, DataDerivedFrom or DownstreamOf. Can be repeated. */
                relationshipTypes?: string[] | null;
                /** @description The number of relations to skip. */
                start?: number;
                /** @description The entity. */
                urn: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_entities_openapi_v3_entity__entity__post: {
        parameters: {
            query?: {
                /** @description Has no effect: changes are always stored before the server answers. */
                async?: boolean;
                /** @description Leave an existing aspect unchanged. */
                createIfNotExists?: boolean;
            };
            header?: never;
            path: {
                entity: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    urn: string;
                } & {
                    [key: string]: {
                        systemMetadata?: Record<string, never>;
                        value: Record<string, never>;
                    };
                })[];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_entities_openapi_v3_entity__entity__patch: {
        parameters: {
            query?: {
                /** @description Has no effect: changes are always stored before the server answers. */
                async?: boolean;
            };
            header?: never;
            path: {
                entity: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    urn: string;
                } & {
                    [key: string]: {
                        systemMetadata?: Record<string, never>;
                        value: Record<string, never>;
                    };
                })[];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_entity_openapi_v3_entity__entity___urn__get: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
                /** @description Only these. Can be repeated. */
                aspects?: string[] | null;
            };
            header?: never;
            path: {
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description No such entity or aspect. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_entity_openapi_v3_entity__entity___urn__delete: {
        parameters: {
            query?: {
                /** @description Only these. Can be repeated. */
                aspects?: string[] | null;
            };
            header?: never;
            path: {
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_aspect_openapi_v3_entity__entity___urn___aspect__get: {
        parameters: {
            query?: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
            };
            header?: never;
            path: {
                aspect: string;
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description No such entity or aspect. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_aspect_openapi_v3_entity__entity___urn___aspect__post: {
        parameters: {
            query?: {
                /** @description Leave an existing aspect unchanged. */
                createIfNotExists?: boolean;
            };
            header?: never;
            path: {
                aspect: string;
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    systemMetadata?: Record<string, never>;
                    value: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_aspect_openapi_v3_entity__entity___urn___aspect__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                aspect: string;
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_aspect_openapi_v3_entity__entity___urn___aspect__patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                aspect: string;
                entity: string;
                urn: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    systemMetadata?: Record<string, never>;
                    value: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description Some changes cannot be used. Each is listed with its reason; all others are stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_entities_openapi_v3_entity__entity__batchGet_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>[];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            /** @description The body is not JSON, not UTF-8, not the gzip it claims to be, nested too deeply, or not in DataHub's format. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The body has an unsupported type or encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ready_readyz_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The store is unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_restli_relationships_get: {
        parameters: {
            query: {
                /** @description The time to look at; now if omitted. A date means the end of that day. */
                asOf?: string | null;
                /** @description The number of relations to return, up to 10000. */
                count?: number;
                direction: components["schemas"]["Which"];
                /** @description The number of relations to skip. */
                start?: number;
                /** @description Only these: List(HasField,DownstreamOf). */
                types?: string | null;
                /** @description The entity. */
                urn: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URN is malformed, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestLiProblem"];
                };
            };
            /** @description The request failed. `code` is the status, and `message` says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
