#!/bin/sh
# Lays the token of an approval on somebody's desk: the file shop/approval.
printf %s "$ASL_TASK_TOKEN" > shop/approval.new
mv shop/approval.new shop/approval
